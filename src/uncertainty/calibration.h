// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model_file.h"
#include "uncertainty/conformal.h"
#include "uncertainty/instant_readings.h"
#include "uncertainty/last_layer.h"
#include "uncertainty/local_scale.h"
#include "uncertainty/place_classes.h"
#include "uncertainty/reading_law.h"

namespace fluidsplat::uncertainty {

// A number that is made of a field and has an interval of its own: a force, the value at a probe, a mean over a box.
struct Functional {
  std::string name, unit;
  std::string definition;  // JSON; whoever computes it knows what it says
};

// How wrong a model was on cases that it had not seen, kept with the model so that any level can be asked for.
struct Calibration {
  // With so many silent sensors, which ones being drawn at random for each case.  Errors are truth minus what the model
  // said; those of fields are in units of the local scale.
  struct Rung {
    Index silent = 0;
    std::vector<SignedTables> pointwise;  // per channel: of a point drawn at random
    // [class][channel]: of a point drawn at random from a class of places; none where all places are alike.
    std::vector<std::vector<SignedTables>> by_class;
    std::vector<SignedTables> simultaneous;  // per channel: largest over all points
    std::vector<SignedTables> functionals;
    // Of each reading: how much it usually differs from what the others suggest; and, of an instant, the largest of
    // these differences and their root mean square, in these units.  None when no sensor can be spared, and with silent
    // sensors where Calibration::instants tell it better.
    std::vector<float> reading_scale;
    ScoreTable disagreement, consistency;
    bool knows_sensors() const { return !reading_scale.empty(); }
  };
  std::vector<Rung> rungs;  // silent sensors rising, the first 0
  std::vector<Functional> functionals;
  LocalScale scale{{}};
  LastLayer layer;  // its doubt is a factor to the local scale, point by point
  PlaceClasses classes;
  ReadingDistance distance;
  std::shared_ptr<const ReadingLaw> law;  // how readings follow from each other; null: only the model says
  // What all sensors said in the past, normalised: of cases that tell what differences between readings are usual, and
  // of those calibrated on, [instants, V]; for how sensors fit each other when any of them are silent.  Only where
  // there is a law.
  struct Instants {
    model::Matrix usual, calibrated;
    std::vector<Index> group;         // of each that is calibrated on: its case or block
    std::vector<double> consistency;  // and how well all its sensors fit each other
  };
  Instants instants;
  // Of each calibrated case or block with all sensors speaking, what every reading differed by from what the others
  // suggest, in units of rung 0: [groups, 2 V], means and then root mean squares.
  model::Matrix block_steps;
  // What each reading may be, [V]: the range of training, widened by half of it.  Empty where sensors have no places of
  // their own.
  std::vector<float> lowest, highest;

  Index sensors = 0;         // of the model's own layout
  double noise = 0;          // of the readings, as a share of how much they vary in training
  Index block = 1;           // cases in a row that count once, as frames of a time series do; 1: each for itself
  std::string data, chosen;  // the dataset, and which of its cases, in words
  std::vector<Index> cases;  // these cases

  Index groups() const { return rungs.front().pointwise.front().size.groups(); }
  double highest_level() const { return double(groups()) / double(groups() + 1); }
  // For so many silent sensors, or the next larger number that was calibrated; null when there are too many.
  const Rung* rung(Index silent) const;
  // Whether bands can be asked for Promise::on_average.
  bool knows_average() const;
  Index functional(const std::string& name) const;  // its number, or -1
};

// The share of instants in which a sound sensor may be taken out; and what so few groups can promise at best, 1 /
// (groups + 1), where that is more.
constexpr double kFalseAlarms = 0.01;
double achievable_false_alarms(const Calibration& calibration, double asked);

// The block of a model file.
constexpr const char* kCalibrationBlock = "calibration";
model::Block to_block(const Calibration& calibration);
// Null when a file has none.  Throws Error, naming the file, for one that is damaged or does not fit the model.
std::shared_ptr<const Calibration> read_calibration(const model::ModelFile& file);
std::shared_ptr<const Calibration> calibration_from_block(const model::Block& block, const model::Description& model,
                                                          const std::string& where);
// 1 had no law of readings, 2 no instants, 3 no classes of places and no layer, 4 none by a feature.
constexpr int kCalibrationVersion = 5;

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/sensor_placement.h"
#include "reconstruct/disturbance.h"
#include "reconstruct/field_model.h"
#include "reconstruct/functionals.h"
#include "uncertainty/instant_readings.h"
#include "uncertainty/place_classes.h"

namespace fluidsplat::calibrate {

// A case as a model sees it from readings of which some sensors are silent.  Errors are truth minus what the model
// said.
struct SeenCase {
  field::Case truth;
  field::SensorReadings readings;  // as the model was given them
  field::Matrix errors;            // [n, C], in the data's units
  field::Vector doubt;             // [n], of the last hidden layer, if it was asked for
  std::vector<double> functionals;
};

// How wrong a model was on one case, in the units of a local scale where there is one.
struct CaseErrors {
  std::vector<std::vector<float>> pointwise;  // per channel, at some points drawn at random
  struct Largest {
    float size = 0, above = -std::numeric_limits<float>::infinity(), below = above;
  };
  std::vector<Largest> largest;    // per channel, over all points
  std::vector<float> functionals;  // NaN for what the mesh does not have
  // [channel][class of places]: over all points, those of other classes counted as nothing, so that classes add up to
  // the mean.
  std::vector<std::vector<double>> mean_scale;
  std::vector<double> rms;                 // of the errors in the data's units, per channel, over all points
  std::vector<unsigned char> region;       // of the points drawn: see regions_of
  std::vector<unsigned char> place_class;  // and their classes, see uncertainty::PlaceClasses
  double factor = 1;                       // of the local scale, for the instant
};

// Asks a model for cases of a dataset, with noise and silent sensors.  The same for the same case, whatever was asked
// before.
class CaseReader {
 public:
  CaseReader(reconstruct::FieldModel& model, const field::Dataset& dataset, reconstruct::Functionals& functionals,
             double noise, std::uint64_t seed);
  SeenCase see(Index index, Index silent, const uncertainty::LastLayer* layer = nullptr);
  // What the sensors of a case say, with noise and silence.
  field::SensorReadings readings_of(const field::Case& c, Index index, Index silent) const;
  // Normalised readings, [V].
  std::vector<float> normalized(const field::SensorReadings& readings) const;

  const uncertainty::InstantReadings& own() const { return own_; }
  const field::Dataset& dataset() const { return dataset_; }
  const field::SensorPlacement& sensors() const { return sensors_; }
  reconstruct::FieldModel& model() { return model_; }
  double noise() const { return noise_; }

 private:
  reconstruct::FieldModel& model_;
  const field::Dataset& dataset_;
  reconstruct::Functionals& functionals_;
  double noise_;
  std::uint64_t seed_;
  field::SensorPlacement sensors_;
  uncertainty::InstantReadings own_;
};

// What errors are measured by: the local scale [n, C], the places' classes [n] and how many there are, the instant's
// factor.
struct Yardstick {
  field::Matrix local;
  std::vector<uncertainty::PlaceClasses::Class> classes;
  Index class_count = 1;
  double factor = 1;
  // One class of places.
  static Yardstick plain(field::Matrix local);
};
// In its units, at up to `points` points.
CaseErrors scaled_errors(const SeenCase& seen, const Yardstick& by, Index points, std::uint64_t seed);
// With class i of places called numbers[i]; several may be called the same.
void renumber_classes(CaseErrors& errors, const std::vector<uncertainty::PlaceClasses::Class>& numbers);

// Where a mesh's points are: 0 near the wall (a twentieth of the domain's longest side), 1 behind it (as high as it is,
// and as much again on either side, downstream along x), 2 elsewhere; all 2 without a wall.
constexpr int kRegions = 3, kNearWall = 0;
constexpr const char* kRegionNames[] = {"near the wall", "wake", "far"};
std::vector<unsigned char> regions_of(const field::Mesh& mesh);

}  // namespace fluidsplat::calibrate

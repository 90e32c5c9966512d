// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "base/index.h"
#include "field/sensors.h"
#include "model/model_file.h"

namespace fluidsplat::reconstruct {

// What sensors said in training, to hold new readings against: a guard rail for wrong units, columns in another order,
// a broken sensor.  A reading is one channel of one sensor; they are numbered sensor by sensor, as in a table of them.
struct KnownReadings {
  struct Range {
    Eigen::VectorXd mean, spread, low, high;  // spread: the standard deviation
    Index size() const { return mean.size(); }
  };
  Range of_channel;  // over all sensors, [C]
  Range of_reading;  // [V]; empty where sensors have no places of their own
  // How each reading follows from the others: with z the readings in steps from their means, (P z)_v / P_vv is what
  // ridge regression of reading v on all others leaves over, and `residual` how much that is usually, in steps.  Empty
  // where there are too few cases or too many readings to learn it, or where places differ from case to case.
  Eigen::MatrixXd precision;  // P, [V, V]
  Eigen::VectorXd residual;   // [V]

  // What counts as a difference at all: the spread of entry `number` of one of the ranges.  What never changed in
  // training, as at a wall where the fluid is at rest, is allowed a share of what its channel does elsewhere.
  double step(const Range& range, Index number, Index channel) const;
};

// From the readings [N, C] of each training case.  `own_places`: sensor i is the same sensor in all of them;
// `same_places`: and stands at the same place.
KnownReadings learn_readings(const std::vector<field::Matrix>& cases, const field::SensorLayout& layout,
                             bool own_places, bool same_places);

// As a block of the model file, and back; Errors name `where`.
constexpr const char* kReadingsBlock = "readings";
model::Block to_block(const KnownReadings& known);
KnownReadings readings_from_block(const model::Block& block, const model::Description& model, const std::string& where);

}  // namespace fluidsplat::reconstruct

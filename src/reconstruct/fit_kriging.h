// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classical/kriging.h"
#include "field/sensor_placement.h"
#include "reconstruct/field_model.h"

namespace fluidsplat::reconstruct {

// What the settings of a correction are chosen by.
struct KrigingTrial {
  const field::Dataset& dataset;
  const field::SensorPlacement& sensors;
  std::vector<Index> cases;  // better not those of training, which a model misses less and more locally
  // Between how many sensors speak, spread over the cases; 0: all do.
  Index sensors_min = 0, sensors_max = 0;
};

struct KrigingFit {
  classical::Kriging kriging;    // off when it is of no use
  double before = 0, after = 0;  // relative L2 errors at a sample of points, the mean over cases and channels
};

// Tries lengths, contrasts and noises and keeps those with the least error.  The model has no correction yet.
KrigingFit fit_kriging(FieldModel& model, const KrigingTrial& trial);

}  // namespace fluidsplat::reconstruct

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/reconstructor.h"
#include "uncertainty/sensor_check.h"

namespace fluidsplat::runtime {

// What a model says of every reading without the sensor that it belongs to.  One thread at a time.
class LeftOutReadings {
 public:
  // For the sensors, the wall and the threads of these options; features [N][F] at the sensors, null when the model has
  // none.
  LeftOutReadings(const Reconstructor& model, const PlanOptions& options, const float* sensor_features);
  // Of the instants that follow.  Null when the model has none; kept by pointer.
  void set_descriptors(const float* descriptors) { descriptors_ = descriptors; }
  // values [N][C], NaN where silent: expected [V] in the order of the model's readings, NaN for silent ones.
  void operator()(const float* values, float* expected);

 private:
  Plan plan_;
  uncertainty::InstantReadings own_;
  Index channels_;
  const float* descriptors_ = nullptr;
  std::vector<float> without_, field_;
};

}  // namespace fluidsplat::runtime

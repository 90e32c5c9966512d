// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/split.h"
#include "learn/model/trained_model.h"

namespace fluidsplat::baselines {

// A method that is fitted in closed form, by the name that tables use.
struct ClassicalMethod {
  std::string name, settings;  // of a config's [model]
};
// All that sensors like these allow: those that are drawn anew for every case have no maps from readings.
std::vector<ClassicalMethod> classical_methods(const field::SensorLayout& sensors);

// Fits them to the split's training cases, one after the other.  Those that need the same modes share them.
class ClassicalFits {
 public:
  ClassicalFits(const field::Dataset& dataset, const field::Split& split, const field::SensorLayout& sensors);
  struct Fit {
    learn::TrainedModel trained;
    double seconds = 0;  // as if it had been fitted alone
  };
  Fit make(const ClassicalMethod& method);

 private:
  const field::Dataset& dataset_;
  const field::Split& split_;
  field::SensorPlacement sensors_;
  learn::TrainedModel frame_;            // all but the model
  std::shared_ptr<learn::Model> modes_;  // a POD with maps, when there is one
  double seconds_for_frame_ = 0, seconds_for_modes_ = 0;
};

}  // namespace fluidsplat::baselines

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

// Fitted to the split's training cases.
learn::TrainedModel fit_classical(const ClassicalMethod& method, const field::Dataset& dataset,
                                  const field::Split& split, const field::SensorLayout& sensors);

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

#include "field/dataset.h"
#include "model/any_spec.h"
#include "reconstruct/field_model.h"

namespace fluidsplat::calibrate {

inline std::vector<Index> numbers(Index first, Index last) {
  std::vector<Index> out(last - first);
  std::iota(out.begin(), out.end(), first);
  return out;
}

// One velocity in the plane.
inline field::Schema toy_schema() {
  field::Schema out;
  out.coordinates = {{"x", "m"}, {"y", "m"}};
  out.channels = {{"u", "m/s"}};
  return out;
}

// For tests: what a model says of itself, with sensors at the first points of the mesh.  How it answers is its own.
class ToyFieldModel : public reconstruct::FieldModel {
 public:
  ToyFieldModel(const field::Dataset& dataset, Index sensors, float deviation_of_readings) {
    description_.kind = "toy";
    description_.schema = dataset.schema();
    description_.normalization.domain = dataset.domain();
    description_.normalization.readings = {{0.f}, {deviation_of_readings}};
    description_.sensors.positions = dataset.mesh(0)->points.topRows(sensors);
    description_.sensors.channels.assign(sensors, {0});
  }
  const model::Spec& spec() const override { return *spec_; }
  const model::Description& description() const override { return description_; }
  Index parameters() const override { return 0; }
  const model::BaseField* base() const override { return nullptr; }
  const classical::Prior& prior() const override { return prior_; }

 private:
  model::AnySpec spec_;
  model::Description description_;
  classical::Prior prior_;
};

}  // namespace fluidsplat::calibrate

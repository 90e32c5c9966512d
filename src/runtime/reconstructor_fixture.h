// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: a model with random weights, ready to be asked.
#pragma once

#include <optional>

#include "base/random.h"
#include "base/temporary_folder.h"
#include "runtime/random_model.h"
#include "runtime/reconstructor.h"

namespace fluidsplat::runtime {

inline std::vector<float> uniform(Index n, double low, double high, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x(n);
  for (float& v : x) v = float(random.uniform(low, high));
  return x;
}

// A model on disk, opened, and inputs for it.
struct Fixture {
  explicit Fixture(const std::function<void(nlohmann::json&)>& change = {}, Index points_count = 100)
      : file(change), count(points_count) {
    file.write(folder / "model.safetensors");
    model.emplace(Reconstructor::open(folder / "model.safetensors"));
    const auto& s = model->description().spec;
    points = uniform(count * s.dim, -1, 3, 1);
    features = uniform(count * s.features, -1, 1, 2);
    readings = uniform(model->description().sensors.size() * s.channels, -2, 2, 3);
    descriptors = uniform(s.descriptors, -1, 1, 4);
    wall = uniform(30 * s.dim, 0, 1, 5);
    wall_features = uniform(30 * model->description().spec.geometry_features, -1, 1, 6);
  }
  PlanOptions options() const {
    PlanOptions o;
    o.points = points.data();
    o.count = count;
    o.features = features.data();
    o.geometry = {wall.data(), wall_features.data(), std::ssize(wall) / model->description().spec.dim};
    return o;
  }
  std::vector<float> run(const PlanOptions& o) const {
    std::vector<float> field(count * model->description().spec.channels);
    Outputs out;
    out.field = field.data();
    model->plan(o).run(readings.data(), descriptors.data(), out);
    return field;
  }

  TemporaryFolder folder;
  RandomModel file;
  Index count;
  std::optional<Reconstructor> model;
  std::vector<float> points, features, readings, descriptors, wall, wall_features;
};

}  // namespace fluidsplat::runtime

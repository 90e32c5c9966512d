// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: what a trained baseline is asked, on made-up cases of any sizes.
#pragma once

#include <memory>
#include <string>

#include "learn/config/train_config.h"
#include "learn/model/registry.h"

namespace fluidsplat::baselines {

// Sizes that come from the data.
struct DataSizes {
  Index dim = 2, channels = 1, features = 0, descriptors = 0;
  std::vector<double> sides = {2, 1};
  std::vector<Index> grid_shape = {};
};

inline learn::DataFacts facts_of(const DataSizes& sizes) {
  learn::DataFacts facts;
  const auto name_all = [](Index count, const std::string& prefix) {
    std::vector<model::Column> out;
    for (Index i = 0; i < count; ++i) out.push_back({prefix + std::to_string(i), ""});
    return out;
  };
  facts.schema.coordinates = name_all(sizes.dim, "x");
  facts.schema.channels = name_all(sizes.channels, "c");
  facts.schema.features = name_all(sizes.features, "f");
  facts.schema.descriptors = name_all(sizes.descriptors, "m");
  facts.domain = {std::vector<double>(sizes.sides.size(), 0.0), sizes.sides};
  facts.grid_shape = sizes.grid_shape;
  return facts;
}

// A model of the settings that a config would have: "model.kind=...", "model.width=...".
inline std::shared_ptr<learn::Model> make_model(const model::Spec& settings, const DataSizes& sizes) {
  const auto spec = settings.clone();
  const auto facts = facts_of(sizes);
  spec->fit_to(facts.schema);
  torch::manual_seed(1);
  return learn::ModelRegistry::instance().make_model(*spec, facts);
}
inline std::shared_ptr<learn::Model> make_model(const std::vector<std::string>& settings, const DataSizes& sizes) {
  return make_model(*learn::parse_train_config("", "test", settings).model, sizes);
}

struct MadeUpCases {
  learn::Observation observation;
  learn::Queries queries;
  torch::Tensor targets;
};

// Random cases; the last token of the first case is absent.
inline MadeUpCases make_cases(const learn::Model& model, Index batch, Index tokens, Index queries,
                              torch::ScalarType type = torch::kFloat64) {
  const auto& spec = model.spec();
  const auto uniform = [&](std::vector<Index> shape) { return torch::rand(shape, type); };
  const auto normal = [&](std::vector<Index> shape) { return torch::randn(shape, type); };
  MadeUpCases out;
  auto& o = out.observation;
  o.positions = uniform({batch, tokens, spec.dim});
  o.values = normal({batch, tokens});
  o.channels = torch::randint(spec.channels, {batch, tokens}, torch::kInt64);
  o.present = torch::ones({batch, tokens}, type);
  o.present[0][tokens - 1] = 0;
  o.descriptors = normal({batch, spec.descriptors});
  if (model.looks_at_wall()) {
    o.geometry_positions = uniform({batch, 5, spec.dim});
    o.geometry_features = normal({batch, 5, spec.geometry_features});
    o.geometry_present = torch::ones({batch, 5}, type);
  }
  out.queries.positions = uniform({batch, queries, spec.dim});
  out.queries.features = normal({batch, queries, spec.features});
  out.targets = normal({batch, queries, spec.channels});
  return out;
}

}  // namespace fluidsplat::baselines

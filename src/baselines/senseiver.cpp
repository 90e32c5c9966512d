// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/senseiver.h"

#include <algorithm>

#include "base/error.h"
#include "baselines/layers/latent_grid.h"
#include "baselines/layers/pooled_tokens.h"

namespace fluidsplat::baselines {
namespace {

// For points that lie on no grid.
constexpr Index kScattered = 128;

std::vector<Index> cells_of(const learn::DataFacts& facts, Index resolution) {
  auto cells = facts.grid_shape;
  if (resolution > 0 || std::ssize(cells) != std::ssize(facts.domain.low))
    cells = LatentGrid(facts.domain, resolution > 0 ? resolution : kScattered).shape();
  std::reverse(cells.begin(), cells.end());
  return cells;
}

torch::Tensor small_normal(std::vector<Index> shape) {
  return 0.02 * torch::randn(shape);
}

}  // namespace

void SenseiverSpec::bind(Config& c) {
  c.add("model.bands", &bands, "sine and cosine frequencies along each axis").at_least(1).at_most(256);
  c.add("model.resolution", &resolution,
        "cells along the longest side that the highest frequency resolves; 0: those of the data's grid, 128 for points "
        "on no grid")
      .at_least(0)
      .at_most(4096);
  c.add("model.token_width", &token_width, "width of the sensor tokens").at_least(1).at_most(1024);
  c.add("model.latents", &latents, "latent vectors").at_least(1).at_most(4096);
  c.add("model.width", &width, "width of the latents").at_least(1).at_most(1024);
  c.add("model.layers", &layers, "times that the latents attend to the tokens; all but the first share their weights")
      .at_least(1)
      .at_most(32);
  c.add("model.cross_heads", &cross_heads, "heads of the attention to tokens").at_least(1).at_most(64);
  c.add("model.self_layers", &self_layers, "attentions among the latents after each to the tokens")
      .at_least(0)
      .at_most(32);
  c.add("model.self_heads", &self_heads, "heads of the attention among the latents").at_least(1).at_most(64);
  c.add("model.query_width", &query_width, "width of the queries").at_least(1).at_most(1024);
  c.add("model.query_heads", &query_heads, "heads of the queries' attention to the latents").at_least(1).at_most(64);
  c.add("model.geometry", &geometry, kGeometryMeaning);
}

void SenseiverSpec::check() const {
  Spec::check();
  if (width % cross_heads != 0 || width % self_heads != 0)
    fail("model.width = {} must be a multiple of model.cross_heads = {} and model.self_heads = {}", width, cross_heads,
         self_heads);
  if (query_width % query_heads != 0)
    fail("model.query_width = {} must be a multiple of model.query_heads = {}", query_width, query_heads);
}

void SenseiverSpec::fit_to(const model::Schema& schema) {
  Spec::fit_to(schema);
  geometry_features = geometry ? dim : 0;
}

Senseiver::Senseiver(const SenseiverSpec& spec, const learn::DataFacts& facts)
    : spec_(spec), positions_(spec.bands, cells_of(facts, spec.resolution)) {
  using torch::nn::Linear;
  const Index place = positions_.width(), width = spec.width;
  token_ = register_module("token", Linear(place + spec.reading_columns(), spec.token_width));
  if (spec.geometry) wall_ = register_module("wall", Linear(place + spec.geometry_features, spec.token_width));
  if (spec.descriptors > 0) descriptors_ = register_module("descriptors", Linear(spec.descriptors, spec.token_width));
  latents_ = register_parameter("latents", small_normal({spec.latents, width}));
  first_ = make_layer("first");
  if (spec.layers > 1) others_ = make_layer("others");
  query_vector_ = register_parameter("query_vector", small_normal({width}));
  query_ = register_module("query", Linear(place + spec.features + width, spec.query_width));
  decoder_ = register_module("decoder", CrossLayer(spec.query_width, width, spec.query_heads));
  field_ = register_module("field", Linear(spec.query_width, spec.channels));
}

Senseiver::Layer Senseiver::make_layer(const std::string& name) {
  Layer layer;
  layer.cross = register_module(name + "_cross", CrossLayer(spec_.width, spec_.token_width, spec_.cross_heads));
  for (Index i = 0; i < spec_.self_layers; ++i)
    layer.self.push_back(register_module(name + "_self" + std::to_string(i), SelfLayer(spec_.width, spec_.self_heads)));
  return layer;
}

torch::Tensor Senseiver::encode(const learn::Observation& o) {
  std::vector<torch::Tensor> columns = {positions_(o.positions), o.values.unsqueeze(-1)};
  if (spec_.channels > 1) columns.push_back(torch::one_hot(o.channels, spec_.channels).to(o.values.dtype()));
  std::vector<torch::Tensor> tokens = {token_(torch::cat(columns, -1))}, present = {o.present};
  if (spec_.geometry) {
    tokens.push_back(wall_(torch::cat({positions_(o.geometry_positions), o.geometry_features}, -1)));
    present.push_back(o.geometry_present);
  }
  if (spec_.descriptors > 0) {
    tokens.push_back(descriptors_(o.descriptors).unsqueeze(1));
    present.push_back(torch::ones_like(o.present.narrow(1, 0, 1)));
  }
  const auto all = torch::cat(tokens, 1), mask = torch::cat(present, 1);
  auto latents = latents_.unsqueeze(0);  // the same for every case, until they have seen its tokens
  for (Index l = 0; l < spec_.layers; ++l) {
    auto& layer = l == 0 ? first_ : others_;
    latents = layer.cross(latents, all, mask);
    for (auto& self : layer.self) latents = self(latents);
  }
  return latents;
}

torch::Tensor Senseiver::decode(const torch::Tensor& latents, const learn::Queries& queries) {
  std::vector<torch::Tensor> columns = {positions_(queries.positions)};
  if (spec_.features > 0) columns.push_back(queries.features);
  const auto sizes = queries.positions.sizes();
  columns.push_back(query_vector_.expand({sizes[0], sizes[1], spec_.width}));
  return field_(decoder_(query_(torch::cat(columns, -1)), latents, torch::Tensor()));
}

torch::Tensor Senseiver::reconstruct(const learn::Observation& observation, const learn::Queries& queries) {
  return decode(encode(observation), queries);
}

}  // namespace fluidsplat::baselines

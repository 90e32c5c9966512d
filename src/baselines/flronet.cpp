// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/flronet.h"

#include <cmath>

#include "base/error.h"
#include "baselines/layers/pooled_tokens.h"
#include "learn/fluidsplat/fourier.h"

namespace fluidsplat::baselines {
namespace {

// More than a training step could afford, and little enough to allocate.
constexpr double kMostNodes = 1 << 22;
constexpr Index kWidest = 2048;

}  // namespace

void FlroNetSpec::bind(Config& c) {
  c.add("model.token_width", &token_width, "width of the sensor tokens").at_least(1).at_most(1024);
  c.add("model.token_bands", &token_bands, "Fourier bands of the positions of sensors and nodes")
      .at_least(0)
      .at_most(12);
  c.add("model.heads", &heads, "lengths over which tokens are spread, each for its share of their width")
      .at_least(1)
      .at_most(64);
  c.add("model.nodes", &nodes, "nodes along the longest side of the grid").at_least(4).at_most(1024);
  c.add("model.width", &width, "channels of the convolutions on the finest level; each coarser one has twice as many")
      .at_least(4)
      .at_most(512);
  c.add("model.levels", &levels, "levels of the U-Net").at_least(1).at_most(8);
  c.add("model.head_width", &head_width, "hidden layer of the MLP at a query").at_least(1).at_most(4096);
  c.add("model.geometry", &geometry, kGeometryMeaning);
}

void FlroNetSpec::check() const {
  Spec::check();
  if (token_width % heads != 0)
    fail("model.token_width = {} must be a multiple of model.heads = {}", token_width, heads);
  if (width % ConvolutionPairImpl::kGroups != 0)
    fail("model.width = {} must be a multiple of {}", width, ConvolutionPairImpl::kGroups);
  if (width << (levels - 1) > kWidest)
    fail("model.width = {} doubled on {} levels is beyond {}; use fewer", width, levels, kWidest);
  if (std::pow(double(nodes), double(dim)) > kMostNodes)
    fail("model.nodes = {} makes a grid of more than {} nodes in {} dimensions; use fewer", nodes, Index(kMostNodes),
         dim);
}

void FlroNetSpec::fit_to(const model::Schema& schema) {
  Spec::fit_to(schema);
  geometry_features = geometry ? dim : 0;
}

FlroNet::FlroNet(const FlroNetSpec& spec, const learn::DataFacts& facts)
    : spec_(spec), grid_(facts.domain, spec.nodes) {
  const Index e = spec.token_width, place = spec.position_columns();
  std::vector<Index> shape = {1, place};
  shape.insert(shape.end(), grid_.shape().begin(), grid_.shape().end());
  node_columns_ = learn::fourier_features(grid_.places(), spec.token_bands).t().reshape(shape);
  token_ = register_module("token", learn::Mlp(std::vector<Index>{place + spec.channels + 1 + spec.descriptors, e, e}));
  sensor_embedding_ = register_module("sensor_embedding", RadialEmbedding(grid_, spec.heads));
  if (spec.geometry) {
    wall_ = register_module("wall", learn::Mlp(std::vector<Index>{place + spec.geometry_features, e, e}));
    wall_embedding_ = register_module("wall_embedding", RadialEmbedding(grid_, spec.heads));
  }
  const Index inputs = place + e * (spec.geometry ? 2 : 1);
  network_ = register_module("network", UNet(spec.dim, inputs, spec.width, spec.levels));
  head_ = register_module("head",
                          learn::Mlp(std::vector<Index>{spec.width + spec.features, spec.head_width, spec.channels}));
}

torch::Tensor FlroNet::make_grid(const learn::Observation& o) {
  const Index batch = o.values.size(0), count = o.values.size(1);
  const auto mark = torch::one_hot(o.channels, spec_.channels).to(o.values.dtype());
  std::vector<torch::Tensor> columns = {learn::fourier_features(o.positions, spec_.token_bands), mark,
                                        o.values.unsqueeze(-1)};
  if (spec_.descriptors > 0) columns.push_back(o.descriptors.unsqueeze(1).expand({-1, count, -1}));
  auto shape = node_columns_.sizes().vec();
  shape[0] = batch;
  std::vector<torch::Tensor> layers = {node_columns_.to(o.values.options()).expand(shape),
                                       sensor_embedding_(o.positions, token_(torch::cat(columns, -1)), o.present)};
  if (spec_.geometry) {
    const auto tokens =
        wall_(torch::cat({learn::fourier_features(o.geometry_positions, spec_.token_bands), o.geometry_features}, -1));
    layers.push_back(wall_embedding_(o.geometry_positions, tokens, o.geometry_present));
  }
  return network_(torch::cat(layers, 1));
}

torch::Tensor FlroNet::reconstruct(const learn::Observation& observation, const learn::Queries& queries) {
  auto x = interpolate_at(make_grid(observation), queries.positions);
  if (spec_.features > 0) x = torch::cat({x, queries.features}, -1);
  return head_(x);
}

}  // namespace fluidsplat::baselines

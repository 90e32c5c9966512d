// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/deeponet.h"

#include "learn/fluidsplat/fourier.h"

namespace fluidsplat::baselines {
namespace {

std::vector<Index> sizes_of(Index inputs, Index width, Index layers, Index outputs) {
  std::vector<Index> sizes(layers + 2, width);
  sizes.front() = inputs;
  sizes.back() = outputs;
  return sizes;
}

}  // namespace

void DeepONetSpec::bind(Config& c) {
  tokens.bind(c);
  c.add("model.rank", &rank, "basis functions, shared by the channels").at_least(1).at_most(4096);
  c.add("model.width", &width, "of the hidden layers of branch and trunk").at_least(1).at_most(1024);
  c.add("model.branch_layers", &branch_layers, "hidden layers of the branch, after pooling").at_least(0).at_most(16);
  c.add("model.trunk_layers", &trunk_layers, "hidden layers of the trunk").at_least(1).at_most(16);
  c.add("model.bands", &bands, "Fourier bands of a query's position").at_least(0).at_most(12);
}

void DeepONetSpec::fit_to(const model::Schema& schema) {
  Spec::fit_to(schema);
  geometry_features = tokens.geometry ? dim : 0;
}

DeepONet::DeepONet(const DeepONetSpec& spec, const learn::DataFacts&) : spec_(spec) {
  const Index place = spec.dim * (1 + 2 * spec.bands) + spec.features;
  encoder_ = register_module("encoder", spec.tokens.make(spec));
  branch_ = register_module(
      "branch", learn::Mlp(sizes_of(spec.tokens.context, spec.width, spec.branch_layers, spec.rank * spec.channels)));
  trunk_ = register_module("trunk", learn::Mlp(sizes_of(place, spec.width, spec.trunk_layers, spec.rank)));
  bias_ = register_parameter("bias", torch::zeros({spec.channels}));
}

torch::Tensor DeepONet::reconstruct(const learn::Observation& observation, const learn::Queries& queries) {
  const auto coefficients = branch_(encoder_(observation)).view({-1, spec_.rank, spec_.channels});
  auto place = learn::fourier_features(queries.positions, spec_.bands);
  if (spec_.features > 0) place = torch::cat({place, queries.features}, -1);
  return torch::matmul(trunk_(place), coefficients) + bias_;
}

}  // namespace fluidsplat::baselines

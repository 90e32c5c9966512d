// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model.h"

namespace fluidsplat::learn {

SquaredError Model::squared_error(const Observation& observation, const Queries& queries, const torch::Tensor& targets,
                                  const torch::Tensor& weights) {
  const auto field = reconstruct(observation, queries);
  return {((field - targets).square() * weights).sum(), field.detach()};
}

FluidSplat::FluidSplat(const ModelConfig& c) : config(c) {
  config.check();
  encoder = register_module("encoder", SensorEncoder(config));
  head = register_module("head", PrimitiveHead(config));
  if (config.has_decoder()) decoder = register_module("decoder", ResidualDecoder(config));
}

torch::Tensor FluidSplat::reconstruct(const Observation& observation, const Queries& queries) {
  return decode(context(observation), observation.descriptors, queries);
}

SquaredError FluidSplat::squared_error(const Observation& observation, const Queries& queries,
                                       const torch::Tensor& targets, const torch::Tensor& weights) {
  if (!fused_) return Model::squared_error(observation, queries, targets, weights);
  const auto z = context(observation);
  return fused_->squared_error(primitives(z), queries.positions, queries.features, z, observation.descriptors, targets,
                               weights);
}

torch::Tensor FluidSplat::decode(const torch::Tensor& z, const torch::Tensor& descriptors, const Queries& queries) {
  const auto state = primitives(z);
  if (fused_) return (*fused_)(state, queries.positions, queries.features, z, descriptors);
  const auto scaffold = evaluate_scaffold(state, queries.positions);
  if (config.output == "primitive") return scaffold.field;
  const auto residual = decoder(queries.positions, queries.features, z, descriptors, state, scaffold);
  return config.output == "residual" ? residual : scaffold.field + residual;
}

void FluidSplat::use_fused_engine() {
  fused_ = std::make_shared<FusedDecoder>(config, decoder.is_empty() ? nullptr : decoder.get());
}

Index parameter_count(const torch::nn::Module& module) {
  Index count = 0;
  for (const auto& p : module.parameters()) count += p.numel();
  return count;
}

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/fluidsplat.h"

namespace fluidsplat::learn {

FluidSplat::FluidSplat(const model::FluidSplatSpec& spec) : spec_(spec) {
  spec_.check();
  encoder = register_module("encoder", SensorEncoder(spec_));
  head = register_module("head", PrimitiveHead(spec_));
  if (spec_.has_decoder()) decoder = register_module("decoder", ResidualDecoder(spec_));
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
  if (!spec_.has_decoder()) return scaffold.field;
  const auto residual = decoder(queries.positions, queries.features, z, descriptors, state, scaffold);
  return spec_.output == model::Output::kResidual ? residual : scaffold.field + residual;
}

void FluidSplat::use_fast_kernels() {
  fused_ = std::make_shared<FusedDecoder>(spec_, decoder.is_empty() ? nullptr : decoder.get());
}

}  // namespace fluidsplat::learn

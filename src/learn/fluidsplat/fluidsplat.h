// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/fluidsplat/decoder.h"
#include "learn/fluidsplat/encoder.h"
#include "learn/fluidsplat/fused_operator.h"
#include "learn/model/model.h"

namespace fluidsplat::learn {

// The paper's model: encoder, primitive head, scaffold and residual decoder (docs/model.md).
class FluidSplat : public Model {
 public:
  explicit FluidSplat(const model::FluidSplatSpec& spec);
  FluidSplat(const model::FluidSplatSpec& spec, const DataFacts&) : FluidSplat(spec) {}

  const model::FluidSplatSpec& spec() const override { return spec_; }
  torch::Tensor reconstruct(const Observation& observation, const Queries& queries) override;
  SquaredError squared_error(const Observation& observation, const Queries& queries, const torch::Tensor& targets,
                             const torch::Tensor& weights) override;
  bool looks_at_wall() const override { return spec_.geometry; }
  void use_fast_kernels() override;

  torch::Tensor context(const Observation& observation) { return encoder(observation); }
  Primitives primitives(const torch::Tensor& z) { return head(z); }
  torch::Tensor decode(const torch::Tensor& z, const torch::Tensor& descriptors, const Queries& queries);

  SensorEncoder encoder{nullptr};
  PrimitiveHead head{nullptr};
  ResidualDecoder decoder{nullptr};

 private:
  model::FluidSplatSpec spec_;
  std::shared_ptr<FusedDecoder> fused_;
};

}  // namespace fluidsplat::learn

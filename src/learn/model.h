// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "learn/decoder.h"
#include "learn/encoder.h"
#include "learn/fused_operator.h"

namespace fluidsplat::learn {

// Where the field is asked for.  Positions [B, Q, d] in the unit box, features [B, Q, F] normalised.
struct Queries {
  torch::Tensor positions, features;
};

// Sensors and conditioning in, fields out: FluidSplat and every baseline are Models, so one trainer and one evaluator
// serve all.  Outputs are in normalised units, [B, Q, C].
struct Model : torch::nn::Module {
  virtual torch::Tensor reconstruct(const Observation& observation, const Queries& queries) = 0;
  // What a training step asks: the error summed over everything, and the field it was taken from.
  virtual SquaredError squared_error(const Observation& observation, const Queries& queries,
                                     const torch::Tensor& targets, const torch::Tensor& weights);
};

struct FluidSplat : Model {
  explicit FluidSplat(const ModelConfig& config);
  torch::Tensor reconstruct(const Observation& observation, const Queries& queries) override;
  SquaredError squared_error(const Observation& observation, const Queries& queries, const torch::Tensor& targets,
                             const torch::Tensor& weights) override;

  torch::Tensor context(const Observation& observation) { return encoder(observation); }
  Primitives primitives(const torch::Tensor& z) { return head(z); }
  torch::Tensor decode(const torch::Tensor& z, const torch::Tensor& descriptors, const Queries& queries);
  // From now on decode() runs on the fused kernels; float on the CPU only.  Results differ by rounding.
  void use_fused_engine();

  ModelConfig config;
  SensorEncoder encoder{nullptr};
  PrimitiveHead head{nullptr};
  ResidualDecoder decoder{nullptr};

 private:
  std::shared_ptr<FusedDecoder> fused_;
};

Index parameter_count(const torch::nn::Module& module);

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "learn/fluidsplat/scaffold.h"
#include "learn/model/model.h"

namespace fluidsplat::learn {

// Scaffold and decoder as one operation on the SIMD kernels (float, CPU), with a gradient of its own: no array of size
// queries x primitives, and activations are recomputed instead of stored.  Equal to the plain modules up to rounding.
// One thread at a time; the kernels use as many threads as libtorch does.
class FusedDecoder {
 public:
  // `decoder` holds the tensors named in docs/model.md, without "decoder."; null when the output is the scaffold alone.
  FusedDecoder(const model::FluidSplatSpec& spec, const torch::nn::Module* decoder);
  ~FusedDecoder();

  // queries [B, Q, d], features [B, Q, F] (undefined when F = 0), descriptors [B, M], z [B, D]; returns [B, Q, C].
  torch::Tensor operator()(const Primitives& primitives, const torch::Tensor& queries, const torch::Tensor& features,
                           const torch::Tensor& z, const torch::Tensor& descriptors);

  // The same, compared with targets [B, Q, C].  Its gradient is computed in the same pass, which saves evaluating the
  // decoder a second time.
  SquaredError squared_error(const Primitives& primitives, const torch::Tensor& queries, const torch::Tensor& features,
                             const torch::Tensor& z, const torch::Tensor& descriptors, const torch::Tensor& targets,
                             const torch::Tensor& weights);

  struct State;
  struct Inputs;

 private:
  Inputs gather(const Primitives& primitives, const torch::Tensor& queries, const torch::Tensor& features,
                const torch::Tensor& z, const torch::Tensor& descriptors) const;

  std::vector<torch::Tensor> parameters_;  // in the kernels' order
  c10::intrusive_ptr<State> state_;
};

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parameters.h"

namespace fluidsplat::kernels {

LinearParameters Parameters::add(const std::string& name, Index rows, Index cols, Shape shape) {
  const LinearParameters linear{.weight = size_, .bias = size_ + rows * cols, .rows = rows, .cols = cols};
  tensors_.push_back({.name = "decoder." + name + ".weight",
                      .rows = rows,
                      .cols = cols,
                      .offset = linear.weight,
                      .is_vector = shape == Shape::kVector});
  tensors_.push_back({.name = "decoder." + name + ".bias", .rows = rows, .offset = linear.bias, .is_vector = true});
  size_ += rows * cols + rows;
  return linear;
}

Parameters::Parameters(const FluidSplatSpec& s) {
  if (!s.has_decoder()) return;
  const Index a = s.attention_width;
  if (s.attends()) {
    query = add("query", a, s.query_inputs() + s.context);
    token = add("token", a, s.token_columns());
    if (s.global_token) global = add("global", a, s.context);
    attend_q = add("attention.q", a, a);
    attend_k = add("attention.k", a, a);
    attend_v = add("attention.v", a, a);
    attend_out = add("attention.out", a, a);
    ffn0 = add("ffn.0", 2 * a, a);
    ffn1 = add("ffn.1", a, 2 * a);
    norm1 = add("norm1", a, 1, Shape::kVector);
    norm2 = add("norm2", a, 1, Shape::kVector);
  }
  Index inputs = s.query_inputs() + s.context + s.state_inputs() + s.attention_inputs();
  for (Index l = 0; l < s.layers; ++l) {
    mlp.push_back(add("mlp." + std::to_string(l), s.width, inputs));
    inputs = s.width;
  }
  mlp.push_back(add("mlp." + std::to_string(s.layers), s.channels, inputs));
  if (s.modulated())
    for (Index l = 0; l < s.layers; ++l)
      modulation.push_back(add("modulation." + std::to_string(l), 2 * s.width, s.descriptors));
}

}  // namespace fluidsplat::kernels

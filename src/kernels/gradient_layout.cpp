// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gradient_layout.h"

#include "kernels/packed_matrix.h"

namespace fluidsplat::kernels {

Index GradientLayout::matrix(Index rows, Index cols) {
  const Index offset = size_;
  size_ += rows * padded(cols);
  return offset;
}

Index GradientLayout::bias(const LinearParameters& p) {
  const Index offset = matrix(1, p.rows);
  rectangles_.push_back({p.bias, p.rows, offset, padded(p.rows), 1, p.rows});
  return offset;
}

GradientLayout::Linear GradientLayout::linear(const LinearParameters& p) {
  const Index weight = matrix(p.rows, p.cols);
  rectangles_.push_back({p.weight, p.cols, weight, padded(p.cols), p.rows, p.cols});
  return {weight, bias(p)};
}

GradientLayout::Linear GradientLayout::vectors(const LinearParameters& p) {
  const Index weight = matrix(1, p.rows);
  rectangles_.push_back({p.weight, p.rows, weight, padded(p.rows), 1, p.rows});
  return {weight, bias(p)};
}

GradientLayout::GradientLayout(const FluidSplatSpec& s) {
  const Parameters p(s);
  if (!s.has_decoder()) return;
  const Index mesh = s.query_inputs(), context = s.context;
  // A first layer: `tile` columns that tiles multiply with, in the order (rest, mesh), and the columns of z.
  const auto first_layer = [&](const LinearParameters& l, Index rest, Index& context_matrix) {
    const Index tile = matrix(l.rows, rest + mesh), stride = padded(rest + mesh);
    context_matrix = matrix(l.rows, context);
    rectangles_.push_back({l.weight + mesh + context, l.cols, tile, stride, l.rows, rest});
    rectangles_.push_back({l.weight, l.cols, tile + rest, stride, l.rows, mesh});
    rectangles_.push_back({l.weight + mesh, l.cols, context_matrix, padded(context), l.rows, context});
    return Linear{tile, bias(l)};
  };
  if (s.attends()) {
    query = first_layer(p.query, 0, query_context);
    token = linear(p.token);
    if (s.global_token) global = linear(p.global);
    attend_q = linear(p.attend_q), attend_k = linear(p.attend_k), attend_v = linear(p.attend_v);
    attend_out = linear(p.attend_out);
    ffn0 = linear(p.ffn0), ffn1 = linear(p.ffn1);
    norm1 = vectors(p.norm1), norm2 = vectors(p.norm2);
  }
  mlp.push_back(first_layer(p.mlp[0], s.state_inputs() + s.attention_inputs(), mlp_context));
  for (Index l = 1; l < std::ssize(p.mlp); ++l) mlp.push_back(linear(p.mlp[l]));
  for (const auto& l : p.modulation) modulation.push_back(linear(l));
}

void GradientLayout::reduce(const float* partials, Index count, Index stride, float* flat, int threads) const {
  // One row's sums are one thread's, in the order of the arrays: the same bits for any number of threads.
#pragma omp parallel num_threads(threads) if (threads > 1)
  for (const auto& r : rectangles_) {
#pragma omp for schedule(static) nowait
    for (Index i = 0; i < r.rows; ++i) {
      float* out = flat + r.flat + i * r.flat_stride;
      const float* in = partials + r.partial + i * r.partial_stride;
      for (Index j = 0; j < r.cols; ++j) out[j] = in[j];
      for (Index part = 1; part < count; ++part)
        for (Index j = 0; j < r.cols; ++j) out[j] += in[part * stride + j];
    }
  }
}

}  // namespace fluidsplat::kernels

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gradient_layout.h"

#include "kernels/matrix_view.h"

namespace fluidsplat::kernels {

Index GradientLayout::room_for(Index rows, Index cols) {
  const Index offset = size_;
  size_ += rows * padded(cols);
  return offset;
}

Index GradientLayout::vector(Index flat, Index size) {
  const Index offset = room_for(1, size);
  rectangles_.push_back(
      {.rows = 1, .cols = size, .partial = offset, .partial_stride = padded(size), .flat = flat, .flat_stride = size});
  return offset;
}

GradientLayout::Linear GradientLayout::linear(const LinearParameters& p) {
  const Index weight = room_for(p.rows, p.cols);
  rectangles_.push_back({.rows = p.rows,
                         .cols = p.cols,
                         .partial = weight,
                         .partial_stride = padded(p.cols),
                         .flat = p.weight,
                         .flat_stride = p.cols});
  return {.weight = weight, .bias = vector(p.bias, p.rows)};
}

GradientLayout::Linear GradientLayout::norm(const LinearParameters& p) {
  const Index weight = vector(p.weight, p.rows);
  return {.weight = weight, .bias = vector(p.bias, p.rows)};
}

GradientLayout::GradientLayout(const FluidSplatSpec& s) {
  const Parameters p(s);
  if (!s.has_decoder()) return;
  const Index mesh = s.query_inputs(), context = s.context;
  // A first layer's columns are (mesh, z, rest) in the parameters; tiles multiply with (rest, mesh).
  const auto first_layer = [&](const LinearParameters& l, Index rest, Linear& tile, Linear& z) {
    tile.weight = room_for(l.rows, rest + mesh);
    z.weight = room_for(l.rows, context);
    tile.bias = z.bias = vector(l.bias, l.rows);
    const auto place = [&](Index flat_column, Index cols, Index partial, Index stride) {
      rectangles_.push_back({.rows = l.rows,
                             .cols = cols,
                             .partial = partial,
                             .partial_stride = stride,
                             .flat = l.weight + flat_column,
                             .flat_stride = l.cols});
    };
    place(mesh + context, rest, tile.weight, padded(rest + mesh));
    place(0, mesh, tile.weight + rest, padded(rest + mesh));
    place(mesh, context, z.weight, padded(context));
  };
  if (s.attends()) {
    first_layer(p.query, 0, query, query_context);
    token = linear(p.token);
    if (s.global_token) global = linear(p.global);
    attend_q = linear(p.attend_q), attend_k = linear(p.attend_k), attend_v = linear(p.attend_v);
    attend_out = linear(p.attend_out);
    ffn0 = linear(p.ffn0), ffn1 = linear(p.ffn1);
    norm1 = norm(p.norm1), norm2 = norm(p.norm2);
  }
  first_layer(p.mlp[0], s.state_inputs() + s.attention_inputs(), mlp.emplace_back(), mlp_context);
  for (Index l = 1; l < std::ssize(p.mlp); ++l) mlp.push_back(linear(p.mlp[l]));
  for (const auto& l : p.modulation) modulation.push_back(linear(l));
}

void GradientLayout::reduce(const float* partials, Index count, float* flat, int threads) const {
  // One row's sums are one thread's, in the order of the arrays: the same bits for any number of threads.
#pragma omp parallel num_threads(threads) if (threads > 1)
  for (const auto& r : rectangles_) {
#pragma omp for schedule(static) nowait
    for (Index i = 0; i < r.rows; ++i) {
      float* out = flat + r.flat + i * r.flat_stride;
      const float* in = partials + r.partial + i * r.partial_stride;
      for (Index j = 0; j < r.cols; ++j) out[j] = in[j];
      for (Index part = 1; part < count; ++part)
        for (Index j = 0; j < r.cols; ++j) out[j] += in[part * size_ + j];
    }
  }
}

}  // namespace fluidsplat::kernels

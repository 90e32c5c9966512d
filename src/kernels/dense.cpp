// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/dense.h"

#include "kernels/tile_buffers.h"
#include "kernels/vector_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dense.cpp"
#include <hwy/foreach_target.h>

#include "kernels/dot-inl.h"
#include "kernels/layers-inl.h"
#include "kernels/query_inputs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

void matrix_vector_for_target(const DenseLayer& l, const float* x, float* y) {
  for (Index i = 0; i < l.rows; ++i) y[i] = l.bias[i] + dot(l.weight + i * l.cols, x, l.cols);
}

void dense_panel_for_target(const PackedView& w, const float* bias, bool activate, const float* x, float* y) {
  const Panels out{.data = y, .rows = w.rows};
  panel_product<Start::kBias>(w, bias, x, y);
  if (activate) activate_panels(Gelu(), {.pre = out, .post = out}, 1);
}

void fourier_for_target(const float* positions, Index count, Index dim, Index bands, float* rows) {
  FluidSplatSpec shape;
  shape.dim = dim;
  shape.bands = bands;
  query_inputs_panel(shape, {.positions = positions, .count = count}, 0, rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(matrix_vector_for_target);
HWY_EXPORT(dense_panel_for_target);
HWY_EXPORT(fourier_for_target);

void matrix_vector(const DenseLayer& layer, const float* x, float* y) {
  HWY_DYNAMIC_DISPATCH(matrix_vector_for_target)(layer, x, y);
}

void gelu(float* values, Index count) {
  apply(Elementary::kGelu, values, values, count);
}

void fourier_panel(const float* positions, Index count, Index dim, Index bands, float* rows) {
  HWY_DYNAMIC_DISPATCH(fourier_for_target)(positions, count, dim, bands, rows);
}

DenseNetwork::DenseNetwork(const std::vector<DenseLayer>& layers) {
  Carver measure;
  for (const auto& l : layers) {
    const Index weight = measure.used();
    measure.take(packed_size(l.rows, l.cols));
    layers_.push_back({.weight = weight, .bias = measure.used(), .rows = l.rows, .cols = l.cols});
    measure.take(l.rows);
  }
  storage_ = Buffer(measure.used());
  for (Index i = 0; i < std::ssize(layers); ++i) {
    pack(MatrixView::dense(layers[i].weight, layers[i].rows, layers[i].cols), storage_.data() + layers_[i].weight);
    std::copy_n(layers[i].bias, layers[i].rows, storage_.data() + layers_[i].bias);
  }
}

Index DenseNetwork::scratch_size() const {
  Index widest = 0;
  for (const auto& l : layers_) widest = std::max(widest, l.rows);
  return 2 * widest * panel_width();
}

void DenseNetwork::run(const float* input, Index panels, float* scratch, float* output) const {
  const Index width = panel_width(), half = scratch_size() / 2;
  for (Index p = 0; p < panels; ++p) {
    const float* x = input + p * inputs() * width;
    for (Index i = 0; i < std::ssize(layers_); ++i) {
      const bool last = i + 1 == std::ssize(layers_);
      float* y = last ? output + p * outputs() * width : scratch + i % 2 * half;
      const auto w = PackedView::whole(storage_.data() + layers_[i].weight, layers_[i].rows, layers_[i].cols);
      HWY_DYNAMIC_DISPATCH(dense_panel_for_target)(w, storage_.data() + layers_[i].bias, !last, x, y);
      x = y;
    }
  }
}

}  // namespace fluidsplat::kernels
#endif

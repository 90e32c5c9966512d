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

void matrix_vector_for_target(const float* weight, const float* bias, const float* x, Index rows, Index cols,
                              float* y) {
  for (Index i = 0; i < rows; ++i) y[i] = bias[i] + dot(weight + i * cols, x, cols);
}

void dense_panel_for_target(const PackedView& w, const float* bias, bool activate, const float* x, float* y) {
  const Panels in{const_cast<float*>(x), 0}, out{y, 0};
  tile_product(w, bias, in, out, 1, w.rows);
  if (activate) activate_panels(Gelu(), nullptr, out, out, Panels(), 1, w.rows);
}

void fourier_for_target(const float* positions, Index count, Index dim, Index bands, float* rows) {
  FluidSplatSpec shape;
  shape.dim = dim;
  shape.bands = bands;
  query_inputs_panel(shape, {positions, nullptr, count, nullptr}, 0, rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(matrix_vector_for_target);
HWY_EXPORT(dense_panel_for_target);
HWY_EXPORT(fourier_for_target);

void matrix_vector(const float* weight, const float* bias, const float* x, Index rows, Index cols, float* y) {
  HWY_DYNAMIC_DISPATCH(matrix_vector_for_target)(weight, bias, x, rows, cols, y);
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
    layers_.push_back({weight, measure.used(), l.rows, l.cols});
    measure.take(l.rows);
  }
  storage_ = Buffer(measure.used());
  for (Index i = 0; i < std::ssize(layers); ++i) {
    pack(layers[i].weight, layers[i].rows, layers[i].cols, layers[i].cols, 1, storage_.data() + layers_[i].weight);
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
      const PackedView w{storage_.data() + layers_[i].weight, layers_[i].rows, layers_[i].cols};
      HWY_DYNAMIC_DISPATCH(dense_panel_for_target)(w, storage_.data() + layers_[i].bias, !last, x, y);
      x = y;
    }
  }
}

}  // namespace fluidsplat::kernels
#endif

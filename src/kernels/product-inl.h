// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrix products on registers.  Everything here is built from one block: four rows by three vectors, twelve
// accumulators, so that on a processor with two fused multiply-adds per cycle and four cycles of latency none
// waits for another; with three loaded vectors and one broadcast it fills the sixteen registers of AVX2
// exactly.
//
// A panel is three vectors of queries (24 on AVX2): activations are stored as [panel][feature][query in
// panel], so the features of one panel are contiguous, queries are lanes, and no operation of the decoder
// mixes lanes.
#if defined(FLUIDSPLAT_KERNELS_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_PRODUCT_INL_H_
#undef FLUIDSPLAT_KERNELS_PRODUCT_INL_H_
#else
#define FLUIDSPLAT_KERNELS_PRODUCT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "kernels/packed_matrix.h"
#include "kernels/tile_buffers.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr int kPanelVectors = 3;
constexpr size_t kLanes = hn::MaxLanes(Tag());
constexpr size_t kPanel = kPanelVectors * kLanes;

// Where a block's accumulators begin: at zero, at one bias per row, or at what the result already holds.
enum class Start { kZero, kBias, kAdd };

// c[kRows][kVectors] (+)= sum over k of a[row * a_row + k * a_step] * b[k * b_step + ...].
// `valid` (<= kRows) rows of c are read and written.
template <int kRows, int kVectors, Start kStart>
HWY_INLINE void block_product(size_t depth, const float* HWY_RESTRICT a, size_t a_row, size_t a_step,
                              const float* HWY_RESTRICT b, size_t b_step, const float* bias,
                              float* HWY_RESTRICT c, size_t c_row, int valid) {
  const Tag d;
  Vec sum[kRows][kVectors];
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kVectors; ++j) {
      if constexpr (kStart == Start::kZero) sum[i][j] = hn::Zero(d);
      if constexpr (kStart == Start::kBias) sum[i][j] = i < valid ? hn::Set(d, bias[i]) : hn::Zero(d);
      if constexpr (kStart == Start::kAdd)
        sum[i][j] = i < valid ? hn::LoadU(d, c + i * c_row + j * kLanes) : hn::Zero(d);
    }
  for (size_t k = 0; k < depth; ++k) {
    Vec x[kVectors];
    for (int j = 0; j < kVectors; ++j) x[j] = hn::LoadU(d, b + k * b_step + j * kLanes);
    for (int i = 0; i < kRows; ++i) {
      const Vec w = hn::Set(d, a[i * a_row + k * a_step]);
      for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(w, x[j], sum[i][j]);
    }
  }
  for (int i = 0; i < kRows; ++i)
    if (i < valid)
      for (int j = 0; j < kVectors; ++j) hn::StoreU(sum[i][j], d, c + i * c_row + j * kLanes);
}

// One panel: y[rows][kPanel] (+)= W[rows][depth] x[depth][kPanel].  `w` holds blocks of four rows that are
// `w_block` floats apart.
template <Start kStart>
HWY_NOINLINE void panel_block(const float* w, size_t w_block, size_t rows, size_t depth, const float* bias,
                              const float* x, float* y) {
  for (size_t row = 0; row < rows; row += kPackRows) {
    const int valid = static_cast<int>(std::min(kPackRows, rows - row));
    block_product<kPackRows, kPanelVectors, kStart>(depth, w, 1, kPackRows, x, kPanel,
                                                    kStart == Start::kBias ? bias + row : nullptr,
                                                    y + row * kPanel, kPanel, valid);
    w += w_block;
  }
}

// The same panels from feature `row` on.
HWY_INLINE Panels rows_from(Panels panels, size_t row) {
  return {panels.data + row * kPanel, panels.stride};
}

// y = W x + bias over a tile (bias null: zero).  `rows` may be less than the matrix has: the first ones are
// computed. Depth is cut so that a panel's slice of x stays in the first-level cache while W streams past it,
// and a slice of W stays in the second-level cache from panel to panel.
HWY_INLINE void tile_product(const PackedView& w, const float* bias, Panels x, Panels y, size_t panels,
                             size_t rows) {
  constexpr size_t kMaxDepth = 256;
  const size_t slices = std::max<size_t>(1, (w.cols + kMaxDepth - 1) / kMaxDepth);
  const size_t step = (w.cols + slices - 1) / slices;
  const size_t w_block = w.cols * kPackRows;
  for (size_t k = 0, slice = 0; slice < slices; ++slice, k += step) {
    const size_t depth = std::min(step, w.cols - k);
    const float* data = w.data + k * kPackRows;
    for (size_t p = 0; p < panels; ++p) {
      const float* xp = x.panel(p) + k * kPanel;
      if (slice > 0)
        panel_block<Start::kAdd>(data, w_block, rows, depth, nullptr, xp, y.panel(p));
      else if (bias)
        panel_block<Start::kBias>(data, w_block, rows, depth, bias, xp, y.panel(p));
      else
        panel_block<Start::kZero>(data, w_block, rows, depth, nullptr, xp, y.panel(p));
    }
  }
}

template <int kRows, int kVectors>
HWY_INLINE void rows_block(size_t parts, size_t part_depth, const float* a, size_t a_row, size_t a_step,
                           size_t a_part, const float* b, size_t b_step, float* c, size_t c_row) {
  for (size_t part = 0; part < parts; ++part)
    block_product<kRows, kVectors, Start::kAdd>(part_depth, a + part * a_part, a_row, a_step,
                                                b + part * part_depth * b_step, b_step, nullptr, c, c_row,
                                                kRows);
}

template <int kRows>
HWY_NOINLINE void rows_sweep(size_t cols, size_t parts, size_t part_depth, const float* a, size_t a_row,
                             size_t a_step, size_t a_part, const float* b, size_t b_step, float* c,
                             size_t c_row) {
  size_t j = 0;
  for (; j + 2 * kLanes < cols; j += 3 * kLanes)
    rows_block<kRows, 3>(parts, part_depth, a, a_row, a_step, a_part, b + j, b_step, c + j, c_row);
  if (j + kLanes < cols)
    rows_block<kRows, 2>(parts, part_depth, a, a_row, a_step, a_part, b + j, b_step, c + j, c_row);
  else if (j < cols)
    rows_block<kRows, 1>(parts, part_depth, a, a_row, a_step, a_part, b + j, b_step, c + j, c_row);
}

// c[rows][cols] += A B with A's elements at a[row * a_row + k * a_step + part * a_part] and B's rows b_step
// floats apart; the depth is `parts` times `part_depth`.  Rows of B and c must be readable up to
// round_up(cols, kRowAlign). With a = upstream gradients in panels this is the gradient of a weight matrix.
HWY_INLINE void rows_product(size_t rows, size_t cols, size_t parts, size_t part_depth, const float* a,
                             size_t a_row, size_t a_step, size_t a_part, const float* b, size_t b_step,
                             float* c, size_t c_row) {
  size_t i = 0;
  for (; i + 4 <= rows; i += 4)
    rows_sweep<4>(cols, parts, part_depth, a + i * a_row, a_row, a_step, a_part, b, b_step, c + i * c_row,
                  c_row);
  for (; i < rows; ++i)
    rows_sweep<1>(cols, parts, part_depth, a + i * a_row, a_row, a_step, a_part, b, b_step, c + i * c_row,
                  c_row);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_PRODUCT_INL_H_

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrix products on registers.  Everything here is built from one block of twelve accumulators, four rows by three
// vectors, so that on a processor with two fused multiply-adds per cycle and four cycles of latency none waits for
// another; with three loaded vectors and one broadcast it fills the sixteen registers of AVX2 exactly.  Strips that are
// narrower than three vectors take more rows instead.
//
// A panel is three vectors of queries (24 on AVX2): activations are stored as [panel][feature][query in panel], so the
// features of one panel are contiguous, queries are lanes, and no operation of the decoder mixes lanes.
#if defined(FLUIDSPLAT_KERNELS_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_PRODUCT_INL_H_
#undef FLUIDSPLAT_KERNELS_PRODUCT_INL_H_
#else
#define FLUIDSPLAT_KERNELS_PRODUCT_INL_H_
#endif

#include <hwy/cache_control.h>
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
constexpr Index kLanes = hn::MaxLanes(Tag());
constexpr Index kPanel = kPanelVectors * kLanes;

// Where a block's accumulators begin: at zero, at one bias per row, or at what the result already holds.
enum class Start { kZero, kBias, kAdd };

// c[kRows][kVectors] (+)= sum over k of a[row * a_row + k * a_step] * b[k * b_step + ...].  The depth comes in `parts`:
// after each `depth` terms, `a` moves on by a_part.  `valid` (<= kRows) rows of c are read and written.
template <int kRows, int kVectors, Start kStart>
HWY_INLINE void block_product(Index parts, Index depth, const float* HWY_RESTRICT a, Index a_row, Index a_step,
                              Index a_part, const float* HWY_RESTRICT b, Index b_step, const float* bias,
                              float* HWY_RESTRICT c, Index c_row, int valid) {
  const Tag d;
  Vec sum[kRows][kVectors];
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kVectors; ++j) {
      if constexpr (kStart == Start::kZero) sum[i][j] = hn::Zero(d);
      if constexpr (kStart == Start::kBias) sum[i][j] = i < valid ? hn::Set(d, bias[i]) : hn::Zero(d);
      if constexpr (kStart == Start::kAdd)
        sum[i][j] = i < valid ? hn::LoadU(d, c + i * c_row + j * kLanes) : hn::Zero(d);
    }
  for (Index part = 0; part < parts; ++part, a += a_part) {
    const float* at = a;
    for (const float* end = b + depth * b_step; b != end; b += b_step, at += a_step) {
      Vec x[kVectors];
      for (int j = 0; j < kVectors; ++j) x[j] = hn::LoadU(d, b + j * kLanes);
      for (int i = 0; i < kRows; ++i) {
        const Vec w = hn::Set(d, at[i * a_row]);
        for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(w, x[j], sum[i][j]);
      }
    }
  }
  for (int i = 0; i < kRows; ++i)
    if (i < valid)
      for (int j = 0; j < kVectors; ++j) hn::StoreU(sum[i][j], d, c + i * c_row + j * kLanes);
}

// One panel: y[rows][kPanel] (+)= W[rows][depth] x[depth][kPanel].  `w` holds blocks of four rows that are `w_block`
// floats apart.
template <Start kStart>
HWY_NOINLINE inline void panel_block(const float* w, Index w_block, Index rows, Index depth, const float* bias,
                                     const float* x, float* y) {
  for (Index row = 0; row < rows; row += kPackRows) {
    const int valid = int(std::min(kPackRows, rows - row));
    const float* row_bias = kStart == Start::kBias ? bias + row : nullptr;
    block_product<kPackRows, kPanelVectors, kStart>(1, depth, w, 1, kPackRows, 0, x, kPanel, row_bias, y + row * kPanel,
                                                    kPanel, valid);
    w += w_block;
  }
}

// The same panels from feature `row` on.
HWY_INLINE Panels rows_from(Panels panels, Index row) {
  return {panels.data + row * kPanel, panels.stride};
}

// y = W x + bias over a tile (bias null: zero).  `rows` may be less than the matrix has: the first ones are computed.
// Rows come in chunks that stay in the second-level cache from panel to panel.  The depth is not cut to make a panel of
// x fit the first-level cache: going back to unfinished sums costs more than streaming x from the second level.
HWY_INLINE void tile_product(const PackedView& w, const float* bias, Panels x, Panels y, Index panels, Index rows) {
  constexpr Index kChunk = 128;
  const Index w_block = w.cols * kPackRows;
  for (Index row = 0; row < rows; row += kChunk) {
    const Index count = std::min(kChunk, rows - row);
    const float* data = w.data + row * w.cols;
    for (Index p = 0; p < panels; ++p) {
      float* yp = y.panel(p) + row * kPanel;
      if (bias)
        panel_block<Start::kBias>(data, w_block, count, w.cols, bias + row, x.panel(p), yp);
      else
        panel_block<Start::kZero>(data, w_block, count, w.cols, nullptr, x.panel(p), yp);
    }
  }
}

// The left factor of rows_product: element (row, k) of part p is data[row * row_step + k * step + p * part_step], and
// there are `parts` times `depth` columns.  Panels of gradients are such a matrix, with queries as columns.
struct LeftMatrix {
  const float* data;
  Index rows, row_step, step, parts, depth, part_step;
};

// Rows from `first` on as long as kRows are left; returns where they end.
template <int kRows, int kVectors>
HWY_INLINE Index add_row_blocks(const LeftMatrix& a, Index first, const float* b, Index b_step, float* c, Index c_row) {
  Index i = first;
  for (; i + kRows <= a.rows; i += kRows) {
    // c is larger than the second-level cache and its rows are far apart: the next block's are fetched early.
    for (Index row = i + kRows; row < std::min(a.rows, i + 2 * kRows); ++row) {
      hwy::Prefetch(c + row * c_row);
      hwy::Prefetch(c + row * c_row + kVectors * kLanes - 1);
    }
    block_product<kRows, kVectors, Start::kAdd>(a.parts, a.depth, a.data + i * a.row_step, a.row_step, a.step,
                                                a.part_step, b, b_step, nullptr, c + i * c_row, c_row, kRows);
  }
  return i;
}

// Twelve accumulators for a strip of any width, then what rows are left.
template <int kVectors>
HWY_NOINLINE inline void rows_strip(const LeftMatrix& a, const float* b, Index b_step, float* c, Index c_row) {
  Index i = add_row_blocks<12 / kVectors, kVectors>(a, 0, b, b_step, c, c_row);
  i = add_row_blocks<4, kVectors>(a, i, b, b_step, c, c_row);
  add_row_blocks<1, kVectors>(a, i, b, b_step, c, c_row);
}

// c[rows][cols] += a B.  B is cut into strips of kPanel columns that are b_strip floats apart, its rows b_step floats
// apart; for a row-major B that is b_strip = kPanel.  Rows of B and c must be readable up to padded(cols).
HWY_INLINE void rows_product(const LeftMatrix& a, const float* b, Index b_step, Index b_strip, Index cols, float* c,
                             Index c_row) {
  for (Index j = 0; j < cols; j += kPanel, b += b_strip) {
    if (cols - j > 2 * kLanes)
      rows_strip<3>(a, b, b_step, c + j, c_row);
    else if (cols - j > kLanes)
      rows_strip<2>(a, b, b_step, c + j, c_row);
    else
      rows_strip<1>(a, b, b_step, c + j, c_row);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_PRODUCT_INL_H_

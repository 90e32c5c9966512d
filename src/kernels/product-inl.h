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

// Some features of the same panels.
HWY_INLINE Panels some_rows(Panels panels, Index first, Index count) {
  return {.data = panels.data + first * kPanel, .rows = count, .stride = panels.stride};
}

// The left factor of a product.  Its columns come in parts that lie part_step floats apart.
struct LeftMatrix {
  MatrixView part;
  Index parts = 1, part_step = 0;

  HWY_INLINE LeftMatrix(const MatrixView& whole) : part(whole) {}
  HWY_INLINE LeftMatrix(const MatrixView& first_part, Index part_count, Index floats_between)
      : part(first_part), parts(part_count), part_step(floats_between) {}
  // A tile: features are rows, queries are columns, panels are parts.
  HWY_INLINE static LeftMatrix tile(Panels x, Index panels) {
    return {{.data = x.data, .rows = x.rows, .cols = kPanel, .row_step = kPanel}, panels, x.stride};
  }
  HWY_INLINE LeftMatrix some_rows(Index first, Index count) const {
    return {part.some_rows(first, count), parts, part_step};
  }
};

// One strip of a right factor or of a result: rows of up to three vectors, row_step floats apart.
struct Strip {
  const float* data;
  Index row_step;
};
struct ResultStrip {
  float* data;
  Index row_step;
};

// Where a block's accumulators begin: at zero, at one bias per row, or at what the result already holds.
enum class Start { kZero, kBias, kAdd };

// c[kRows][kVectors] (+)= a b, where a has kRows rows.  Only `valid` (<= kRows) rows of c and bias are touched.
template <int kRows, int kVectors, Start kStart>
HWY_INLINE void block_product(const LeftMatrix& left, Strip right, const float* bias, ResultStrip c, int valid) {
  const Tag d;
  Vec sum[kRows][kVectors];
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kVectors; ++j) {
      if constexpr (kStart == Start::kZero) sum[i][j] = hn::Zero(d);
      if constexpr (kStart == Start::kBias) sum[i][j] = i < valid ? hn::Set(d, bias[i]) : hn::Zero(d);
      if constexpr (kStart == Start::kAdd)
        sum[i][j] = i < valid ? hn::LoadU(d, c.data + i * c.row_step + j * kLanes) : hn::Zero(d);
    }
  const float *a = left.part.data, *b = right.data;
  for (Index part = 0; part < left.parts; ++part, a += left.part_step) {
    const float* at = a;
    for (const float* end = b + left.part.cols * right.row_step; b != end;
         b += right.row_step, at += left.part.col_step) {
      Vec x[kVectors];
      for (int j = 0; j < kVectors; ++j) x[j] = hn::LoadU(d, b + j * kLanes);
      for (int i = 0; i < kRows; ++i) {
        const Vec w = hn::Set(d, at[i * left.part.row_step]);
        for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(w, x[j], sum[i][j]);
      }
    }
  }
  for (int i = 0; i < kRows; ++i)
    if (i < valid)
      for (int j = 0; j < kVectors; ++j) hn::StoreU(sum[i][j], d, c.data + i * c.row_step + j * kLanes);
}

// One panel: y[rows][kPanel] (+)= w x[cols][kPanel].
template <Start kStart>
HWY_NOINLINE inline void panel_product(const PackedView& w, const float* bias, const float* x, float* y) {
  const float* block = w.data;
  for (Index row = 0; row < w.rows; row += kPackRows, block += w.block_step) {
    const MatrixView four_rows{.data = block, .rows = kPackRows, .cols = w.cols, .row_step = 1, .col_step = kPackRows};
    block_product<kPackRows, kPanelVectors, kStart>(
        four_rows, {.data = x, .row_step = kPanel}, kStart == Start::kBias ? bias + row : nullptr,
        {.data = y + row * kPanel, .row_step = kPanel}, int(std::min(kPackRows, w.rows - row)));
  }
}

// y = w x + bias over a tile (bias null: zero).  y may have fewer rows than w: the first ones are computed.
// Rows come in chunks that stay in the second-level cache from panel to panel.  The depth is not cut to make a panel of
// x fit the first-level cache: going back to unfinished sums costs more than streaming x from the second level.
HWY_INLINE void tile_product(const PackedView& w, const float* bias, Panels x, Panels y, Index panels) {
  constexpr Index kChunk = 128;
  for (Index row = 0; row < y.rows; row += kChunk) {
    const PackedView chunk = w.some_rows(row, std::min(kChunk, y.rows - row));
    for (Index p = 0; p < panels; ++p) {
      float* out = y.panel(p) + row * kPanel;
      if (bias)
        panel_product<Start::kBias>(chunk, bias + row, x.panel(p), out);
      else
        panel_product<Start::kZero>(chunk, nullptr, x.panel(p), out);
    }
  }
}

// The right factor of add_product, in strips of kPanel columns that are strip_step floats apart.  Every row must be
// readable up to padded(cols).
struct RightMatrix {
  const float* data;
  Index cols, row_step, strip_step;

  // Columns of the matrix must be neighbours in memory.
  HWY_INLINE RightMatrix(const MatrixView& m) : data(m.data), cols(m.cols), row_step(m.row_step), strip_step(kPanel) {}
  // What transpose_tile() writes: strips of [queries][kPanel], one after the other.
  HWY_INLINE static RightMatrix strips(const float* data, Index queries, Index cols) {
    return {data, cols, kPanel, queries * kPanel};
  }

 private:
  HWY_INLINE RightMatrix(const float* d, Index c, Index row, Index strip)
      : data(d), cols(c), row_step(row), strip_step(strip) {}
};

// Rows from `first` on as long as kRows are left; returns where they end.
template <int kRows, int kVectors>
HWY_INLINE Index add_row_blocks(const LeftMatrix& a, Index first, Strip b, ResultStrip c) {
  const Index rows = a.part.rows;
  Index i = first;
  for (; i + kRows <= rows; i += kRows) {
    // c is larger than the second-level cache and its rows are far apart: the next block's are fetched early.
    for (Index row = i + kRows; row < std::min(rows, i + 2 * kRows); ++row) {
      hwy::Prefetch(c.data + row * c.row_step);
      hwy::Prefetch(c.data + row * c.row_step + kVectors * kLanes - 1);
    }
    block_product<kRows, kVectors, Start::kAdd>(a.some_rows(i, kRows), b, nullptr,
                                                {.data = c.data + i * c.row_step, .row_step = c.row_step}, kRows);
  }
  return i;
}

// Twelve accumulators for a strip of any width, then what rows are left.
template <int kVectors>
HWY_NOINLINE inline void add_strip(const LeftMatrix& a, Strip b, ResultStrip c) {
  Index i = add_row_blocks<12 / kVectors, kVectors>(a, 0, b, c);
  i = add_row_blocks<4, kVectors>(a, i, b, c);
  add_row_blocks<1, kVectors>(a, i, b, c);
}

// c[rows][padded(cols)] += a b.
HWY_INLINE void add_product(const LeftMatrix& a, const RightMatrix& b, float* c) {
  Strip right{.data = b.data, .row_step = b.row_step};
  ResultStrip result{.data = c, .row_step = padded(b.cols)};
  for (Index left = b.cols; left > 0; left -= kPanel, right.data += b.strip_step, result.data += kPanel) {
    if (left > 2 * kLanes)
      add_strip<3>(a, right, result);
    else if (left > kLanes)
      add_strip<2>(a, right, result);
    else
      add_strip<1>(a, right, result);
  }
}

// c[rows][padded(cols)] = a b.
HWY_INLINE void set_product(const LeftMatrix& a, const RightMatrix& b, float* c) {
  std::fill_n(c, a.part.rows * padded(b.cols), 0.0f);
  add_product(a, b, c);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_PRODUCT_INL_H_

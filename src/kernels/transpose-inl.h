// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Panels hold queries in lanes; the gradient of a weight matrix sums over queries and wants features in lanes.
#if defined(FLUIDSPLAT_KERNELS_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_TRANSPOSE_INL_H_
#undef FLUIDSPLAT_KERNELS_TRANSPOSE_INL_H_
#else
#define FLUIDSPLAT_KERNELS_TRANSPOSE_INL_H_
#endif

#include <cstddef>

#include "kernels/product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// Stores each group of four lanes at `out`, `stride` floats apart.
template <class D>
HWY_INLINE void store_quads(D d, hn::Vec<D> v, float* out, Index stride) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    hn::StoreU(v, d, out);
  } else {
    const hn::Half<D> half;
    store_quads(half, hn::LowerHalf(half, v), out, stride);
    store_quads(half, hn::UpperHalf(half, v), out + stride * hn::MaxLanes(half) / 4, stride);
  }
}
#endif

// out[i * stride + row] = in[row * kPanel + i] for four rows.
HWY_INLINE void transpose_four(const float* HWY_RESTRICT in, float* HWY_RESTRICT out, Index stride) {
  const Tag d;
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  for (Index i = 0; i < kPanel; ++i)
    for (Index row = 0; row < 4; ++row) out[i * stride + row] = in[row * kPanel + i];
#else
  const hn::RepartitionToWide<Tag> wide;
  for (Index i = 0; i < kPanel; i += kLanes) {
    const Vec r0 = hn::LoadU(d, in + i), r1 = hn::LoadU(d, in + kPanel + i), r2 = hn::LoadU(d, in + 2 * kPanel + i),
              r3 = hn::LoadU(d, in + 3 * kPanel + i);
    // Within each 128-bit block: pairs of rows, then pairs of pairs.
    const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, r0, r1));
    const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, r2, r3));
    const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, r0, r1));
    const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, r2, r3));
    float* at = out + i * stride;
    store_quads(d, hn::BitCast(d, hn::InterleaveLower(wide, low01, low23)), at, 4 * stride);
    store_quads(d, hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23)), at + stride, 4 * stride);
    store_quads(d, hn::BitCast(d, hn::InterleaveLower(wide, high01, high23)), at + 2 * stride, 4 * stride);
    store_quads(d, hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23)), at + 3 * stride, 4 * stride);
  }
#endif
}

// out[i * stride + row] = in[row * kPanel + i] for `rows` rows of one panel.
HWY_INLINE void transpose_panel(const float* in, Index rows, float* out, Index stride) {
  Index row = 0;
  for (; row + 4 <= rows; row += 4) transpose_four(in + row * kPanel, out + row, stride);
  for (; row < rows; ++row)
    for (Index i = 0; i < kPanel; ++i) out[i * stride + row] = in[row * kPanel + i];
}

// A whole tile as a right factor, in RightMatrix::strips.
HWY_INLINE RightMatrix transpose_tile(Panels in, Index panels, float* out) {
  float* at = out;
  for (Index first = 0; first < in.rows; first += kPanel)
    for (Index p = 0; p < panels; ++p, at += kPanel * kPanel)
      transpose_panel(in.panel(p) + first * kPanel, std::min(kPanel, in.rows - first), at, kPanel);
  return RightMatrix::strips(out, panels * kPanel, in.rows);
}

// weight_gradient[rows][padded(cols)] += y_gradient x^T, summed over the tile's queries.
HWY_NOINLINE inline void add_weight_gradient(Panels y_gradient, Panels x, Index panels, float* scratch,
                                             float* weight_gradient) {
  add_product(LeftMatrix::tile(y_gradient, panels), transpose_tile(x, panels, scratch), weight_gradient);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_TRANSPOSE_INL_H_

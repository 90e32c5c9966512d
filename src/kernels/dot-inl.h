// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#if defined(FLUIDSPLAT_KERNELS_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_DOT_INL_H_
#undef FLUIDSPLAT_KERNELS_DOT_INL_H_
#else
#define FLUIDSPLAT_KERNELS_DOT_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The scalar product of two vectors that need no alignment.
HWY_INLINE float dot(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, Index n) {
  const hn::ScalableTag<float> d;
  const Index lanes = hn::Lanes(d);
  auto even = hn::Zero(d), odd = hn::Zero(d);
  Index i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    even = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), even);
    odd = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), odd);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// y += scale * x.
HWY_INLINE void add_scaled(float scale, const float* HWY_RESTRICT x, Index n, float* HWY_RESTRICT y) {
  const hn::ScalableTag<float> d;
  const Index lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, scale);
  Index i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
  for (; i < n; ++i) y[i] += scale * x[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_DOT_INL_H_

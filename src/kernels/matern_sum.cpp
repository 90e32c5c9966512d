// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/matern_sum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matern_sum.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

Index sum_lanes_for_target() {
  return hn::Lanes(hn::ScalableTag<float>());
}

void matern_sum_for_target(const MaternSum& sum, const float* places, Index points, Index stride, float* values,
                           float* slopes) {
  const hn::ScalableTag<float> d;
  const Index lanes = hn::Lanes(d);
  const auto add = [&](float* to, hn::Vec<decltype(d)> factor, float weight) {
    hn::StoreU(hn::MulAdd(factor, hn::Set(d, weight), hn::LoadU(d, to)), d, to);
  };
  for (Index first = 0; first < points; first += lanes) {
    for (Index c = 0; c < sum.channels; ++c) hn::StoreU(hn::Zero(d), d, values + c * stride + first);
    for (Index i = 0; slopes && i < sum.channels * sum.dim; ++i)
      hn::StoreU(hn::Zero(d), d, slopes + i * stride + first);
    for (Index s = 0; s < sum.count; ++s) {
      const float *centre = sum.centres + s * sum.dim, *weight = sum.weights + s * sum.channels;
      const auto offset = [&](Index axis) {
        return hn::Sub(hn::LoadU(d, places + axis * stride + first), hn::Set(d, centre[axis]));
      };
      auto square = hn::Zero(d);
      for (Index a = 0; a < sum.dim; ++a) square = hn::MulAdd(offset(a), offset(a), square);
      const auto r = hn::Sqrt(square);
      const auto decay = exp(d, hn::Neg(r));
      const auto one_and_r = hn::Add(r, hn::Set(d, 1));
      const auto kernel = hn::Mul(hn::MulAdd(square, hn::Set(d, 1.0f / 3), one_and_r), decay);
      for (Index c = 0; c < sum.channels; ++c) add(values + c * stride + first, kernel, weight[c]);
      if (!slopes) continue;
      const auto steepness = hn::Mul(hn::Mul(one_and_r, decay), hn::Set(d, -1.0f / 3));
      for (Index a = 0; a < sum.dim; ++a) {
        const auto slope = hn::Mul(steepness, offset(a));
        for (Index c = 0; c < sum.channels; ++c) add(slopes + (c * sum.dim + a) * stride + first, slope, weight[c]);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(sum_lanes_for_target);
HWY_EXPORT(matern_sum_for_target);

Index sum_lanes() {
  return HWY_DYNAMIC_DISPATCH(sum_lanes_for_target)();
}

void matern_sum(const MaternSum& sum, const float* places, Index points, Index stride, float* values, float* slopes) {
  HWY_DYNAMIC_DISPATCH(matern_sum_for_target)(sum, places, points, stride, values, slopes);
}

}  // namespace fluidsplat::kernels
#endif

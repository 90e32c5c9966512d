// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector_math.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

template <class D>
HWY_INLINE hn::Vec<D> evaluate(D d, Elementary function, hn::Vec<D> x) {
  switch (function) {
    case Elementary::kExp:
      return exp(d, x);
    case Elementary::kExp2OfNegative:
      return exp2_of_negative(d, x);
    case Elementary::kErf:
      return erf(d, x);
    case Elementary::kGelu:
      return gelu(d, x);
    case Elementary::kGeluDerivative: {
      hn::Vec<D> slope;
      gelu_and_slope(d, x, slope);
      return slope;
    }
    case Elementary::kTanh:
      return tanh(d, x);
    case Elementary::kSigmoid:
      return sigmoid(d, x);
    case Elementary::kLog1p:
      return log1p(d, x);
    case Elementary::kSin:
      return sin(d, x);
    case Elementary::kCos:
      return cos(d, x);
    case Elementary::kSinPi:
      return sin_pi(d, x);
    case Elementary::kCosPi:
      return cos_pi(d, x);
  }
  return x;
}

void apply_for_target(Elementary function, const float* in, float* out, Index count) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const Index lanes = hn::Lanes(d);
  Index i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(evaluate(d, function, hn::LoadU(d, in + i)), d, out + i);
  for (; i < count; ++i) hn::StoreU(evaluate(one, function, hn::LoadU(one, in + i)), one, out + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(apply_for_target);

void apply(Elementary function, const float* in, float* out, Index count) {
  HWY_DYNAMIC_DISPATCH(apply_for_target)(function, in, out, count);
}

}  // namespace fluidsplat::kernels
#endif

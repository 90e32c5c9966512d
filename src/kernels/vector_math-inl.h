// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions on Highway vectors, compiled once per target.  The error bounds stated here are tested over the
// whole range for every target (vector_math_test.cpp).  Polynomials and rational functions are minimax fits of our own;
// every one is branch-free, so a lane never waits for its neighbours.
#if defined(FLUIDSPLAT_KERNELS_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_VECTOR_MATH_INL_H_
#undef FLUIDSPLAT_KERNELS_VECTOR_MATH_INL_H_
#else
#define FLUIDSPLAT_KERNELS_VECTOR_MATH_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 1.5 * 2^23: adding it rounds a float below 2^22 in size to an integer that then sits in the low mantissa bits.
constexpr float kRoundingShift = 12582912.0f;

// Horner's scheme, constant coefficient first.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V polynomial(D d, V, float c0) {
  return hn::Set(d, c0);
}
template <class D, class V = hn::Vec<D>, typename... Rest>
HWY_INLINE V polynomial(D d, V x, float c0, Rest... rest) {
  return hn::MulAdd(polynomial(d, x, rest...), x, hn::Set(d, c0));
}

// Relative error <= 2e-7.  Arguments are clamped to [-87.33, 88.37], so the result is always finite and normal: below
// the range it is 1.2e-38 instead of less.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = hn::Min(hn::Max(x, hn::Set(d, -87.33f)), hn::Set(d, 88.37f));
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), hn::Set(d, kRoundingShift));
  const V n = hn::Sub(shifted, hn::Set(d, kRoundingShift));
  // ln 2 in two parts; the first has 12 bits, so n times it is exact.
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693115234375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, 3.19461849e-5f), r);
  const V p = polynomial(d, r, 1.0f, 1.0f, 0.4999999345f, 0.1666652064f, 0.0416683884f, 0.0083687149f, 0.0013814564f);
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

// 2^x for x <= 0; less work than exp, because the range needs no reduction but to integers.  Relative error <= 2e-7;
// below -126 the result is that of -126.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp2_of_negative(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = hn::Max(x, hn::Set(d, -126.0f));
  const V shifted = hn::Add(x, hn::Set(d, kRoundingShift));
  const V r = hn::Sub(x, hn::Sub(shifted, hn::Set(d, kRoundingShift)));
  const V p = polynomial(d, r, 1.0f, 0.6931469782f, 0.2402224285f, 0.05550733107f, 0.009671462196f, 0.001326480311f);
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

// erf(x / sqrt 2): twice the normal distribution function, minus one.  Relative error <= 3e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V normal_erf(D d, V x) {
  const V c = hn::Min(hn::Max(x, hn::Set(d, -5.5f)), hn::Set(d, 5.5f));
  const V t = hn::Mul(c, c);
  const V p = polynomial(d, t, 0.7978845477f, 0.06691381249f, 0.009302690971f, 0.0003291029062f, 1.260250955e-5f,
                         4.58631758e-8f);
  const V q = polynomial(d, t, 1.0f, 0.2505304302f, 0.02841495481f, 0.001860521156f, 7.215890986e-5f, 1.199015944e-6f);
  return hn::Div(hn::Mul(c, p), q);
}

// erf(x).  Relative error <= 4e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf(D d, V x) {
  return normal_erf(d, hn::Mul(x, hn::Set(d, 1.41421356f)));
}

// x/2 (1 + erf(x / sqrt 2)).  Absolute error <= 2.5e-7 max(1, |x|).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu(D d, V x) {
  const V half = hn::Mul(x, hn::Set(d, 0.5f));
  return hn::MulAdd(half, normal_erf(d, x), half);
}

// The same, and its derivative with an absolute error <= 4e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu_and_slope(D d, V x, V& slope) {
  const V half = hn::Set(d, 0.5f), half_x = hn::Mul(x, half), e = normal_erf(d, x);
  const V density = exp(d, hn::Neg(hn::Mul(half_x, x)));
  slope = hn::MulAdd(hn::Mul(x, hn::Set(d, 0.398942280f)), density, hn::MulAdd(half, e, half));
  return hn::MulAdd(half_x, e, half_x);
}

// Relative error <= 4e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh(D d, V x) {
  const V c = hn::Min(hn::Max(x, hn::Set(d, -9.01f)), hn::Set(d, 9.01f));
  const V t = hn::Mul(c, c);
  const V p = polynomial(d, t, 0.9999999987f, 0.1368041127f, 0.003868949432f, 2.801999637e-5f, 3.061513946e-8f,
                         -1.222576778e-11f);
  const V q = polynomial(d, t, 1.0f, 0.4701374335f, 0.02724811427f, 0.0003939727005f, 1.288242172e-6f);
  return hn::Div(hn::Mul(c, p), q);
}

// 1 / (1 + exp(-x)).  Relative error <= 5e-7 where the result is above 1e-37.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  return hn::Div(one, hn::Add(one, exp(d, hn::Neg(x))));
}

// log(1 + x), x >= 0.  Relative error <= 4e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log1p(D d, V x) {
  return hn::Log1p(d, x);
}

// log(x), x > 0 and normal.  Error <= 4e-7 max(1, |log x|).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V x) {
  return hn::Log(d, x);
}

// Flips the sign of the lanes whose `shifted` (a number plus kRoundingShift) holds an odd integer.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V negate_if_odd(D d, V shifted, V value) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::Xor(hn::BitCast(di, value), hn::ShiftLeft<31>(hn::BitCast(di, shifted))));
}

// sin(r) for |r| <= pi/2.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sin_half_turn(D d, V r) {
  const V t = hn::Mul(r, r);
  const V p = polynomial(d, t, -0.1666666046f, 0.008333088121f, -0.0001981110981f, 2.608926805e-6f);
  return hn::MulAdd(hn::Mul(r, t), p, r);
}

// x - n * multiple of pi, in four parts of which the first three have few bits: n times them is exact for |n| <= 2^13
// even where the target has no fused multiply-add.  `scale` is 1 for pi and 0.5 for pi/2.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V subtract_pi_multiple(D d, V x, V n, float scale) {
  x = hn::NegMulAdd(n, hn::Set(d, scale * 3.140625f), x);
  x = hn::NegMulAdd(n, hn::Set(d, scale * 0.000967502593994140625f), x);
  x = hn::NegMulAdd(n, hn::Set(d, scale * 1.50990672409534454e-7f), x);
  return hn::NegMulAdd(n, hn::Set(d, scale * 5.12668830319e-12f), x);
}

// Absolute error <= 3e-7 for |x| <= 20000.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sin(D d, V x) {
  const V shifted = hn::MulAdd(x, hn::Set(d, 0.318309886f), hn::Set(d, kRoundingShift));
  const V n = hn::Sub(shifted, hn::Set(d, kRoundingShift));
  return negate_if_odd(d, shifted, sin_half_turn(d, subtract_pi_multiple(d, x, n, 1.0f)));
}

// Absolute error <= 3e-7 for |x| <= 20000.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V cos(D d, V x) {
  // x = (n + 1/2) pi + r gives cos x = -(-1)^n sin r.
  const V turns = hn::MulSub(x, hn::Set(d, 0.318309886f), hn::Set(d, 0.5f));
  const V shifted = hn::Add(turns, hn::Set(d, kRoundingShift));
  const V n = hn::Sub(shifted, hn::Set(d, kRoundingShift));
  const V odd = hn::MulAdd(n, hn::Set(d, 2.0f), hn::Set(d, 1.0f));
  const V r = subtract_pi_multiple(d, x, odd, 0.5f);
  return hn::Neg(negate_if_odd(d, shifted, sin_half_turn(d, r)));
}

// sin(pi r) for |r| <= 1/2.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sin_pi_half_turn(D d, V r) {
  const V t = hn::Mul(r, r);
  return hn::Mul(
      r, polynomial(d, t, 3.14159265f, -5.167712765f, 2.55016332f, -0.5992522087f, 0.08205045151f, -0.007028465927f));
}

// sin(pi x) and cos(pi x): the reduction is exact.  Absolute error <= 2e-7 for |x| <= 2^21.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sin_pi(D d, V x) {
  const V shifted = hn::Add(x, hn::Set(d, kRoundingShift));
  const V r = hn::Sub(x, hn::Sub(shifted, hn::Set(d, kRoundingShift)));
  return negate_if_odd(d, shifted, sin_pi_half_turn(d, r));
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V cos_pi(D d, V x) {
  const V shifted = hn::Add(x, hn::Set(d, kRoundingShift));
  const V r = hn::Sub(x, hn::Sub(shifted, hn::Set(d, kRoundingShift)));
  return negate_if_odd(d, shifted, sin_pi_half_turn(d, hn::Sub(hn::Set(d, 0.5f), hn::Abs(r))));
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_VECTOR_MATH_INL_H_

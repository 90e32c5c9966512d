// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// A softmax over keys that is never held whole: blocks of scores come and go, and what was summed so far is rescaled
// whenever a larger score appears.
#if defined(FLUIDSPLAT_KERNELS_SOFTMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_SOFTMAX_INL_H_
#undef FLUIDSPLAT_KERNELS_SOFTMAX_INL_H_
#else
#define FLUIDSPLAT_KERNELS_SOFTMAX_INL_H_
#endif

#include <cstddef>

#include "kernels/product-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Scores are logarithms to base 2.  These factors bring natural ones there and back.
constexpr float kLog2e = 1.44269504f, kLn2 = 0.693147181f;

// Takes one block scores[count][kPanel] of one panel, turns it into weights 2^(score - max) in place, and brings max,
// sum and result[rows] of what came before to the new maximum.  The caller then adds the block's weighted values.
HWY_INLINE void softmax_block(float* HWY_RESTRICT scores, Index count, bool first, float* HWY_RESTRICT max,
                              float* HWY_RESTRICT sum, float* HWY_RESTRICT result, Index rows) {
  const Tag d;
  Vec top[kPanelVectors], total[kPanelVectors];
  for (int j = 0; j < kPanelVectors; ++j) top[j] = hn::LoadU(d, scores + j * kLanes);
  for (Index k = 1; k < count; ++k)
    for (int j = 0; j < kPanelVectors; ++j) top[j] = hn::Max(top[j], hn::LoadU(d, scores + k * kPanel + j * kLanes));
  for (int j = 0; j < kPanelVectors; ++j) {
    total[j] = hn::Zero(d);
    if (!first) {
      const Vec old = hn::LoadU(d, max + j * kLanes);
      top[j] = hn::Max(top[j], old);
      const Vec shrink = exp2_of_negative(d, hn::Sub(old, top[j]));
      total[j] = hn::Mul(hn::LoadU(d, sum + j * kLanes), shrink);
      for (Index row = 0; row < rows; ++row) {
        float* at = result + row * kPanel + j * kLanes;
        hn::StoreU(hn::Mul(hn::LoadU(d, at), shrink), d, at);
      }
    }
    hn::StoreU(top[j], d, max + j * kLanes);
  }
  for (Index k = 0; k < count; ++k)
    for (int j = 0; j < kPanelVectors; ++j) {
      float* at = scores + k * kPanel + j * kLanes;
      const Vec weight = exp2_of_negative(d, hn::Sub(hn::LoadU(d, at), top[j]));
      total[j] = hn::Add(total[j], weight);
      hn::StoreU(weight, d, at);
    }
  for (int j = 0; j < kPanelVectors; ++j) hn::StoreU(total[j], d, sum + j * kLanes);
}

// Divides result[rows] by the sum and writes log2(sum of 2^score).
HWY_INLINE void softmax_finish(const float* max, const float* sum, float* result, Index rows, float* log_sum) {
  const Tag d;
  for (Index i = 0; i < kPanel; i += kLanes) {
    const Vec total = hn::LoadU(d, sum + i);
    const Vec inverse = hn::Div(hn::Set(d, 1.0f), total);
    for (Index row = 0; row < rows; ++row) {
      float* at = result + row * kPanel + i;
      hn::StoreU(hn::Mul(hn::LoadU(d, at), inverse), d, at);
    }
    hn::StoreU(hn::MulAdd(log(d, total), hn::Set(d, kLog2e), hn::LoadU(d, max + i)), d, log_sum + i);
  }
}

// result[rows] = the weighted values of the first block of keys, or += those of a later one.  `values` begins at the
// block's first key; its blocks of packed rows are `values_block` floats apart.
HWY_INLINE void add_weighted_values(const float* values, Index values_block, Index rows, bool first, Index count,
                                    const float* weights, float* result) {
  if (first)
    panel_block<Start::kZero>(values, values_block, rows, count, nullptr, weights, result);
  else
    panel_block<Start::kAdd>(values, values_block, rows, count, nullptr, weights, result);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_SOFTMAX_INL_H_

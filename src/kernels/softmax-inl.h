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

// What one panel's softmax has come to after some blocks of keys.
struct RunningSoftmax {
  float *max, *sum;  // [kPanel]: the largest score, and the sum of 2^(score - max)
  float* result;     // [rows][kPanel]: the values, summed with these weights
  Index rows;
};

// Takes one block scores[count][kPanel] of one panel, turns it into weights 2^(score - max) in place, and brings what
// came before to the new maximum.  The caller then adds the block's weighted values.
HWY_INLINE void softmax_block(float* HWY_RESTRICT scores, Index count, bool first, const RunningSoftmax& running) {
  const Tag d;
  float *HWY_RESTRICT max = running.max, *HWY_RESTRICT sum = running.sum, *HWY_RESTRICT result = running.result;
  const Index rows = running.rows;
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

// Divides the result by the sum and writes log2(sum of 2^score).
HWY_INLINE void softmax_finish(const RunningSoftmax& running, float* log_sum) {
  const Tag d;
  const auto [max, sum, result, rows] = running;
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

// result = the weighted values [rows][keys] of the first block of keys, or += those of a later one.
HWY_INLINE void add_weighted_values(const PackedView& values, const float* weights, bool first, float* result) {
  if (first)
    panel_product<Start::kZero>(values, nullptr, weights, result);
  else
    panel_product<Start::kAdd>(values, nullptr, weights, result);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_SOFTMAX_INL_H_

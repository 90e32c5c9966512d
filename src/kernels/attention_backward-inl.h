// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#if defined(FLUIDSPLAT_KERNELS_ATTENTION_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_ATTENTION_BACKWARD_INL_H_
#undef FLUIDSPLAT_KERNELS_ATTENTION_BACKWARD_INL_H_
#else
#define FLUIDSPLAT_KERNELS_ATTENTION_BACKWARD_INL_H_
#endif

#include <cstddef>

#include "kernels/attention-inl.h"
#include "kernels/backward_buffers.h"
#include "kernels/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// delta = sum over a head's rows of gradient times result: what the softmax's normalisation takes away.
HWY_INLINE void head_delta(const float* gradient, const float* result, Index width, float* delta) {
  const Tag d;
  for (Index i = 0; i < kPanel; i += kLanes) {
    Vec sum = hn::Zero(d);
    for (Index row = 0; row < width; ++row)
      sum = hn::MulAdd(hn::LoadU(d, gradient + row * kPanel + i), hn::LoadU(d, result + row * kPanel + i), sum);
    hn::StoreU(sum, d, delta + i);
  }
}

// kept <- kept 2^(block_max - log_sum), the softmax's weights; gradients <- weights (gradients - delta), from those of
// the weights to those of the scores.  Without kWeights `kept` stays as it is.
template <bool kWeights>
HWY_INLINE void score_gradients(float* HWY_RESTRICT kept, Index count, const float* block_max, const float* log_sum,
                                const float* delta, float* HWY_RESTRICT gradients) {
  const Tag d;
  Vec factor[kPanelVectors], shift[kPanelVectors];
  for (int j = 0; j < kPanelVectors; ++j) {
    const Index at = static_cast<Index>(j) * kLanes;
    factor[j] = exp2_of_negative(d, hn::Sub(hn::LoadU(d, block_max + at), hn::LoadU(d, log_sum + at)));
    shift[j] = hn::LoadU(d, delta + at);
  }
  for (Index k = 0; k < count; ++k)
    for (int j = 0; j < kPanelVectors; ++j) {
      const Index at = k * kPanel + static_cast<Index>(j) * kLanes;
      const Vec weight = hn::Mul(hn::LoadU(d, kept + at), factor[j]);
      if constexpr (kWeights) hn::StoreU(weight, d, kept + at);
      hn::StoreU(hn::Mul(weight, hn::Sub(hn::LoadU(d, gradients + at), shift[j])), d, gradients + at);
    }
}

// From b.heads to b.attend_q, and (unless sums is null) the gradients of the tokens.  A block of keys is taken through
// all panels before its sums are touched, once.
HWY_INLINE void attention_backward(const FluidSplatSpec& s, const CaseState& state, const BackwardBuffers& b,
                                   Index panels, const CaseGradients* sums) {
  const TileBuffers& t = b.forward;
  const AttentionFold& f = state.attention;
  const Index rank = s.token_rank(), columns = s.token_columns(), stride = padded(columns), keys = s.tokens();
  for (Index h = 0; h < s.heads; ++h) {
    const Panels q = rows_from(t.attend_q, h * rank), result = rows_from(t.heads, h * rank),
                 gradient = rows_from(b.heads, h * rank), q_gradient = rows_from(b.attend_q, h * rank);
    for (Index p = 0; p < panels; ++p) {
      head_delta(gradient.panel(p), result.panel(p), rank, b.delta.panel(p));
      if (!sums) continue;
      transpose_panel(q.panel(p), columns, b.head_q + p * kPanel * stride, stride);
      transpose_panel(gradient.panel(p), columns, b.head_gradient + p * kPanel * stride, stride);
    }
    for (Index i = 0, first = 0; first < keys; ++i, first += key_block_size(keys)) {
      const KeyBlock block(s, first);
      const Panels weights = rows_from(t.kept, h * keys + first),
                   weights_max = rows_from(t.kept_max, h * key_blocks(keys) + i),
                   log_sum = rows_from(t.head_log_sum, h);
      for (Index p = 0; p < panels; ++p) {
        const Index last = columns * kPanel;
        float *scores = b.scores.panel(p), *global_score = scores + block.primitives * kPanel;
        token_scores(f.tokens, first, block.primitives, gradient.panel(p), scores);
        if (block.has_global()) std::copy_n(gradient.panel(p) + last, kPanel, global_score);
        (sums ? score_gradients<true> : score_gradients<false>)(weights.panel(p), block.count, weights_max.panel(p),
                                                                log_sum.panel(p), b.delta.panel(p), scores);
        add_weighted_tokens(f.tokens_transposed, first, block.primitives, scores, q_gradient.panel(p));
        if (block.has_global()) std::copy_n(global_score, kPanel, q_gradient.panel(p) + last);
      }
      if (!sums) continue;
      const auto add_sums = [&](Panels left, const float* right, float* out) HWY_ATTR {
        rows_product({left.data, block.primitives, kPanel, 1, panels, kPanel, left.stride}, right, stride, kPanel,
                     columns, out + first * stride, stride);
      };
      add_sums(weights, b.head_gradient, sums->tokens_by_value);
      add_sums(b.scores, b.head_q, sums->tokens_by_score);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_ATTENTION_BACKWARD_INL_H_

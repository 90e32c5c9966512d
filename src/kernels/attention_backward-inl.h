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
    const Index at = j * kLanes;
    factor[j] = exp2_of_negative(d, hn::Sub(hn::LoadU(d, block_max + at), hn::LoadU(d, log_sum + at)));
    shift[j] = hn::LoadU(d, delta + at);
  }
  for (Index k = 0; k < count; ++k)
    for (int j = 0; j < kPanelVectors; ++j) {
      const Index at = k * kPanel + j * kLanes;
      const Vec weight = hn::Mul(hn::LoadU(d, kept + at), factor[j]);
      if constexpr (kWeights) hn::StoreU(weight, d, kept + at);
      hn::StoreU(hn::Mul(weight, hn::Sub(hn::LoadU(d, gradients + at), shift[j])), d, gradients + at);
    }
}

// From b.heads to b.attend_q, and (where they are wanted) the gradients of the tokens.  A block of keys is taken
// through all panels before its sums are touched, once.
HWY_INLINE void attention_backward(const BackwardTile& tile) {
  const FluidSplatSpec& s = tile.shape();
  const BackwardBuffers& b = tile.buffers;
  const TileBuffers& t = b.forward;
  const AttentionFold& f = tile.state.attention;
  const CaseGradients* sums = tile.shared;
  const Index rank = s.token_rank(), columns = s.token_columns(), stride = padded(columns), keys = s.tokens();
  const Index panels = tile.panels, queries = panels * kPanel;
  for (Index h = 0; h < s.heads; ++h) {
    const auto head = [=](Panels all) HWY_ATTR { return some_rows(all, h * rank, rank); };
    const Panels q = head(t.attend_q), result = head(t.heads), gradient = head(b.heads), q_gradient = head(b.attend_q);
    const Panels log_sum = some_rows(t.head_log_sum, h, 1);
    for (Index p = 0; p < panels; ++p) {
      head_delta(gradient.panel(p), result.panel(p), rank, b.delta.panel(p));
      if (!sums) continue;
      transpose_panel(q.panel(p), columns, b.head_q + p * kPanel * stride, stride);
      transpose_panel(gradient.panel(p), columns, b.head_gradient + p * kPanel * stride, stride);
    }
    for (Index i = 0, first = 0; first < keys; ++i, first += key_block_size(keys)) {
      const KeyBlock block(s, first);
      const Panels weights = some_rows(t.kept_weights, h * keys + first, block.count);
      const Panels weights_max = some_rows(t.kept_max, h * key_blocks(keys) + i, 1);
      for (Index p = 0; p < panels; ++p) {
        const Index last = columns * kPanel;
        float *scores = b.scores.panel(p), *global_score = scores + block.primitives * kPanel;
        token_scores(f, block, gradient.panel(p), scores);
        if (block.has_global()) std::copy_n(gradient.panel(p) + last, kPanel, global_score);
        (sums ? score_gradients<true> : score_gradients<false>)(weights.panel(p), block.count, weights_max.panel(p),
                                                                log_sum.panel(p), b.delta.panel(p), scores);
        add_weighted_tokens(f, block, scores, q_gradient.panel(p));
        if (block.has_global()) std::copy_n(global_score, kPanel, q_gradient.panel(p) + last);
      }
      if (!sums) continue;
      const auto add_sums = [&](Panels left, const float* right, float* out) HWY_ATTR {
        add_product(LeftMatrix::tile(some_rows(left, 0, block.primitives), panels),
                    MatrixView::padded_rows(right, queries, columns), out + first * stride);
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

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Multi-head cross-attention of queries on primitive tokens.
#if defined(FLUIDSPLAT_KERNELS_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_ATTENTION_INL_H_
#undef FLUIDSPLAT_KERNELS_ATTENTION_INL_H_
#else
#define FLUIDSPLAT_KERNELS_ATTENTION_INL_H_
#endif

#include <cstddef>

#include "kernels/context.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// The keys from `first` on whose scores are in memory together: primitives and, last of all, perhaps the global token.
struct KeyBlock {
  KeyBlock(const FluidSplatSpec& s, Index first_key)
      : first(first_key),
        count(std::min(key_block_size(s.tokens()), s.tokens() - first)),
        primitives(std::min(count, s.primitives - first)) {}
  bool has_global() const { return primitives < count; }
  Index first, count, primitives;
};

// scores[primitives][kPanel] = the block's tokens times q.
HWY_INLINE void token_scores(const AttentionFold& f, const KeyBlock& block, const float* q, float* scores) {
  panel_product<Start::kZero>(f.tokens.some_rows(block.first, block.primitives), nullptr, q, scores);
}

// result (+)= the block's tokens, weighted.
HWY_INLINE void add_weighted_tokens(const AttentionFold& f, const KeyBlock& block, const float* weights,
                                    float* result) {
  const PackedView& all = f.tokens_transposed;
  const auto tokens = PackedView::whole(all.data + packed_size(all.rows, block.first), all.rows, block.primitives);
  add_weighted_values(tokens, weights, block.first == 0, result);
}

// All heads attend on the same tokens (see AttentionFold).  The global token's score is the last row of a head's query,
// and its weight the last row of the head's result.  For gradients the blocks' weights stay in t.kept_weights, each as
// 2^(score - t.kept_max of its block).
HWY_INLINE void attention_forward(const ForwardTile& tile) {
  const FluidSplatSpec& s = tile.shape();
  const TileBuffers& t = tile.buffers;
  const AttentionFold& f = tile.state.attention;
  const Index rank = s.token_rank(), columns = s.token_columns(), keys = s.tokens();
  const bool keep = t.kept_weights.data != nullptr;
  for (Index h = 0; h < s.heads; ++h)
    for (Index p = 0; p < tile.panels; ++p) {
      const float* q = t.attend_q.panel(p) + h * rank * kPanel;
      float* result = t.heads.panel(p) + h * rank * kPanel;
      RunningSoftmax running{.max = t.softmax_max, .sum = t.softmax_sum, .result = result, .rows = columns};
      for (Index i = 0, first = 0; first < keys; ++i, first += key_block_size(keys)) {
        const KeyBlock block(s, first);
        float* scores = keep ? t.kept_weights.panel(p) + (h * keys + first) * kPanel : t.scores;
        float* global_score = scores + block.primitives * kPanel;
        token_scores(f, block, q, scores);
        if (block.has_global()) std::copy_n(q + columns * kPanel, kPanel, global_score);
        softmax_block(scores, block.count, first == 0, running);
        add_weighted_tokens(f, block, scores, result);
        if (block.has_global()) std::copy_n(global_score, kPanel, result + columns * kPanel);
        if (keep) std::copy_n(t.softmax_max, kPanel, t.kept_max.panel(p) + (h * key_blocks(keys) + i) * kPanel);
      }
      running.rows = rank;  // with the global token's weight
      softmax_finish(running, t.head_log_sum.panel(p) + h * kPanel);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_ATTENTION_INL_H_

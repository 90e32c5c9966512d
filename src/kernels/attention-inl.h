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

#include "kernels/case_state.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// scores[count][kPanel] = tokens first ... first + count times q.
HWY_INLINE void token_scores(const PackedView& tokens, Index first, Index count, const float* q, float* scores) {
  panel_block<Start::kZero>(tokens.data + first * tokens.cols, tokens.cols * kPackRows, count, tokens.cols, nullptr, q,
                            scores);
}

// result (+)= the weighted tokens first ... first + count, packed block by block.
HWY_INLINE void add_weighted_tokens(const PackedView& transposed, Index first, Index count, const float* weights,
                                    float* result) {
  add_weighted_values(transposed.data + packed_size(transposed.rows, first), count * kPackRows, transposed.rows,
                      first == 0, count, weights, result);
}

// How many keys the block from key `first` on has: primitives and, last of all, perhaps the global token.
struct KeyBlock {
  KeyBlock(const FluidSplatSpec& s, Index first)
      : count(std::min(key_block_size(s.tokens()), s.tokens() - first)),
        primitives(std::min(count, s.primitives - first)) {}
  bool has_global() const { return primitives < count; }
  Index count, primitives;
};

// All heads attend on the same tokens (see AttentionFold).  The global token's score is the last row of a head's query,
// and its weight the last row of the head's result.  For gradients the blocks' weights stay in t.kept, each as 2^(score
// - t.kept_max of its block).
HWY_INLINE void attention_forward(const FluidSplatSpec& s, const CaseState& state, const TileBuffers& t, Index panels) {
  const AttentionFold& f = state.attention;
  const Index rank = s.token_rank(), columns = s.token_columns(), keys = s.tokens();
  for (Index h = 0; h < s.heads; ++h)
    for (Index p = 0; p < panels; ++p) {
      const float* q = t.attend_q.panel(p) + h * rank * kPanel;
      float* result = t.heads.panel(p) + h * rank * kPanel;
      for (Index i = 0, first = 0; first < keys; ++i, first += key_block_size(keys)) {
        const KeyBlock block(s, first);
        float* scores = t.kept.data ? t.kept.panel(p) + (h * keys + first) * kPanel : t.scores;
        float* global_score = scores + block.primitives * kPanel;
        token_scores(f.tokens, first, block.primitives, q, scores);
        if (block.has_global()) std::copy_n(q + columns * kPanel, kPanel, global_score);
        softmax_block(scores, block.count, first == 0, t.softmax_max, t.softmax_sum, result, columns);
        add_weighted_tokens(f.tokens_transposed, first, block.primitives, scores, result);
        if (block.has_global()) std::copy_n(global_score, kPanel, result + columns * kPanel);
        if (t.kept.data) std::copy_n(t.softmax_max, kPanel, t.kept_max.panel(p) + (h * key_blocks(keys) + i) * kPanel);
      }
      softmax_finish(t.softmax_max, t.softmax_sum, result, rank, t.head_log_sum.panel(p) + h * kPanel);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_ATTENTION_INL_H_

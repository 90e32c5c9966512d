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

// scores[count][kPanel] of keys first ... first + count of one head.
HWY_INLINE void head_scores(const PackedView& keys, size_t first, size_t count, const float* q,
                            float* scores) {
  panel_block<Start::kZero>(keys.data + first * keys.cols, keys.cols * kPackRows, count, keys.cols, nullptr,
                            q, scores);
}

// result (+)= the weighted values of keys first ... first + count of one head, packed block by block of keys.
HWY_INLINE void add_head_values(const PackedView& values, size_t first, size_t count, const float* weights,
                                float* result) {
  add_weighted_values(values.data + packed_size(values.rows, first), count * kPackRows, values.rows,
                      first == 0, count, weights, result);
}

// Head by head, so that one head's keys and values stay in the second-level cache from panel to panel.  For
// gradients the blocks' weights stay in t.kept, each as 2^(score - t.kept_max of its block).
HWY_INLINE void attention_forward(const DecoderShape& s, const CaseState& state, const TileBuffers& t,
                                  size_t panels) {
  const size_t width = s.head_width(), keys = s.tokens(), block = key_block_size(keys);
  for (size_t h = 0; h < s.heads; ++h)
    for (size_t p = 0; p < panels; ++p) {
      const float* q = t.attend_q.panel(p) + h * width * kPanel;
      float* result = t.heads.panel(p) + h * width * kPanel;
      for (size_t first = 0, i = 0; first < keys; first += block, ++i) {
        const size_t count = std::min(block, keys - first);
        float* scores = t.kept.data ? t.kept.panel(p) + (h * keys + first) * kPanel : t.scores;
        head_scores(state.head_keys(h), first, count, q, scores);
        softmax_block(scores, count, first == 0, t.softmax_max, t.softmax_sum, result, width);
        add_head_values(state.head_values(h), first, count, scores, result);
        if (t.kept.data)
          std::copy_n(t.softmax_max, kPanel, t.kept_max.panel(p) + (h * key_blocks(keys) + i) * kPanel);
      }
      softmax_finish(t.softmax_max, t.softmax_sum, result, width, t.head_log_sum.panel(p) + h * kPanel);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_ATTENTION_INL_H_

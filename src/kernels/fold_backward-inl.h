// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The gradient of CaseState::fold: from what a case's queries share to its context, its primitives and the weights that
// only tokens and contexts are multiplied with.
#if defined(FLUIDSPLAT_KERNELS_FOLD_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_FOLD_BACKWARD_INL_H_
#undef FLUIDSPLAT_KERNELS_FOLD_BACKWARD_INL_H_
#else
#define FLUIDSPLAT_KERNELS_FOLD_BACKWARD_INL_H_
#endif

#include <cstddef>

#include "kernels/attention_fold-inl.h"
#include "kernels/primitive_maps.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// The modulation's gradient arrives for 1 + g alpha and g beta; alpha and beta are hyperbolic tangents.
HWY_INLINE void modulation_gradient(const PackedDecoder& decoder, const CaseState& state, const CaseInput& input,
                                    const CaseGradients& sums, const GradientLayout& at, float* weights) {
  const FluidSplatSpec& s = decoder.shape();
  const auto gain = float(s.modulation_gain);
  for (Index l = 0; l < std::ssize(decoder.parameters().modulation); ++l) {
    float* gradient = sums.modulation + l * 2 * s.width;
    for (Index i = 0; i < 2 * s.width; ++i) {
      const float value = state.modulation[l * 2 * s.width + i] - (i < s.width ? 1.0f : 0.0f);
      const float tangent = value / gain;
      gradient[i] *= gain * (1.0f - tangent * tangent);
    }
    folded_columns_gradient(decoder, decoder.parameters().modulation[l], 0, s.descriptors, input.descriptors, gradient,
                            weights + at.modulation[l].weight, weights + at.modulation[l].bias, nullptr);
  }
}

HWY_INLINE void fold_gradient(const PackedDecoder& decoder, const CaseState& state, const CaseInput& input,
                              const CaseGradients& sums, const FoldBuffers& b, const GradientLayout& at, float* weights,
                              float* context_gradient, float* primitives_gradient) {
  const FluidSplatSpec& s = decoder.shape();
  std::fill_n(context_gradient, s.context, 0.0f);
  if (s.has_decoder()) {
    folded_columns_gradient(decoder, decoder.parameters().mlp[0], s.query_inputs(), s.context, input.context,
                            sums.mlp_bias, weights + at.mlp_context, weights + at.mlp[0].bias, context_gradient);
    modulation_gradient(decoder, state, input, sums, at, weights);
  }
  if (s.attends())
    fold_attention_gradient(decoder, state.attention, state.query_bias, input, sums, b, at, weights, context_gradient);
  const Index columns = s.primitive_columns();
  std::fill_n(primitives_gradient, s.primitives * columns, 0.0f);
  for (Index k = 0; k < s.primitives; ++k) {
    const float* primitive = input.primitives + k * columns;
    float* gradient = primitives_gradient + k * columns;
    add_gaussian_gradient(s, primitive, sums.moments + k * moment_count(s), gradient);
    if (!s.attends()) continue;
    // Scores are to base 2, their gradients to base e.
    const Index row = k * padded(s.token_columns());
    for (Index i = 0; i < s.token_columns(); ++i)
      b.token[i] = kLn2 * sums.tokens_by_score[row + i] + sums.tokens_by_value[row + i];
    add_token_gradient(s, primitive, b.token, gradient);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_FOLD_BACKWARD_INL_H_

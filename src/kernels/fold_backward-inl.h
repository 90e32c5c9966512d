// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The way back through CaseState::fold: from what a case's queries share to its context, its primitives and the weights
// that only tokens and contexts are multiplied with.
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
HWY_INLINE void modulation_backward(const FoldBackward& fold) {
  const FluidSplatSpec& s = fold.shape();
  const auto& maps = fold.decoder.parameters().modulation;
  const auto gain = float(s.modulation_gain);
  for (Index l = 0; l < std::ssize(maps); ++l) {
    float* gradient = fold.shared.modulation + l * 2 * s.width;
    for (Index i = 0; i < 2 * s.width; ++i) {
      const float value = fold.state.modulation[l * 2 * s.width + i] - (i < s.width ? 1.0f : 0.0f);
      const float tangent = value / gain;
      gradient[i] *= gain * (1.0f - tangent * tangent);
    }
    fold_columns_backward(FoldedColumns::all(fold.decoder, maps[l], fold.input.descriptors), gradient,
                          fold.weights.at(fold.weights.layout.modulation[l]), nullptr);
  }
}

// From the moments and the tokens' gradients to those of the primitives.
HWY_INLINE void primitives_backward(const FoldBackward& fold) {
  const FluidSplatSpec& s = fold.shape();
  const CaseGradients& g = fold.shared;
  float* token_gradient = fold.buffers.token;
  const Index columns = s.primitive_columns();
  std::fill_n(fold.primitives_gradient, s.primitives * columns, 0.0f);
  for (Index k = 0; k < s.primitives; ++k) {
    const float* primitive = fold.input.primitives + k * columns;
    float* gradient = fold.primitives_gradient + k * columns;
    add_gaussian_gradient(s, primitive, g.moments + k * moment_count(s), gradient);
    if (!s.attends()) continue;
    // Scores are to base 2, their gradients to base e.
    const Index row = k * padded(s.token_columns());
    for (Index i = 0; i < s.token_columns(); ++i)
      token_gradient[i] = kLn2 * g.tokens_by_score[row + i] + g.tokens_by_value[row + i];
    add_token_gradient(s, primitive, token_gradient, gradient);
  }
}

HWY_INLINE void fold_backward(const FoldBackward& fold) {
  const FluidSplatSpec& s = fold.shape();
  const PackedDecoder& decoder = fold.decoder;
  std::fill_n(fold.context_gradient, s.context, 0.0f);
  if (s.has_decoder()) {
    fold_columns_backward(FoldedColumns::of_context(decoder, decoder.parameters().mlp[0], fold.input.context),
                          fold.shared.mlp_bias, fold.weights.at(fold.weights.layout.mlp_context),
                          fold.context_gradient);
    modulation_backward(fold);
  }
  if (s.attends()) fold_attention_backward(fold);
  primitives_backward(fold);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_FOLD_BACKWARD_INL_H_

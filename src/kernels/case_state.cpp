// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/case_state.h"

#include <cmath>

#include "kernels/primitive_maps.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/case_state.cpp"
#include <hwy/foreach_target.h>

#include "kernels/attention_fold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

void fold_for_target(const PackedDecoder& decoder, const CaseInput& input, CaseState& state) {
  const FluidSplatSpec& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  fold_columns(FoldedColumns::of_context(decoder, p.mlp[0], input.context), state.mlp_bias);
  for (Index l = 0; l < std::ssize(p.modulation); ++l) {
    float* out = state.modulation + l * 2 * s.width;
    fold_columns(FoldedColumns::all(decoder, p.modulation[l], input.descriptors), out);
    for (Index i = 0; i < 2 * s.width; ++i)
      out[i] = (i < s.width ? 1.0f : 0.0f) + float(s.modulation_gain) * std::tanh(out[i]);
  }
  if (!s.attends()) return;
  fold_columns(FoldedColumns::of_context(decoder, p.query, input.context), state.query_bias);
  fold_attention(decoder, input, state.query_bias, state.attention);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(fold_for_target);

CaseState::CaseState(const FluidSplatSpec& shape, bool for_gradients) : shape_(shape), for_gradients_(for_gradients) {
  arrange(Carver());
  arrange(Carver(storage_.data()));
}

void CaseState::arrange(Carver carver) {
  const FluidSplatSpec& s = shape_;
  gaussians = carver.take(s.primitives * gaussian_size(s.dim));
  amplitudes = carver.take(packed_size(s.channels, s.primitives));
  query_bias = carver.take(s.attention_width);
  mlp_bias = carver.take(s.layers > 0 ? s.width : s.channels);
  modulation = carver.take(s.layers * 2 * s.width);
  attention.arrange(s, for_gradients_, carver);
  if (storage_.size() == 0) storage_ = Buffer(carver.used());
}

void CaseState::fold(const PackedDecoder& decoder, const CaseInput& input) {
  const Index columns = shape_.primitive_columns(), k = shape_.primitives, c = shape_.channels;
  for (Index i = 0; i < k; ++i)
    primitive_gaussian(shape_, input.primitives + i * columns, gaussians + i * gaussian_size(shape_.dim));
  pack(MatrixView::dense(input.primitives, k, columns).some_columns(columns - c, c).transposed(), amplitudes);
  if (!shape_.has_decoder()) return;
  HWY_DYNAMIC_DISPATCH(fold_for_target)(decoder, input, *this);
  if (!shape_.attends()) return;
  attention.set_tokens(shape_, input.primitives);
  attention.pack_maps(shape_);
}

}  // namespace fluidsplat::kernels
#endif

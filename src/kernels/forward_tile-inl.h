// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The whole decoder for one tile of queries (docs/model.md, "Scaffold" and "Residual decoder").
#if defined(FLUIDSPLAT_KERNELS_FORWARD_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_FORWARD_TILE_INL_H_
#undef FLUIDSPLAT_KERNELS_FORWARD_TILE_INL_H_
#else
#define FLUIDSPLAT_KERNELS_FORWARD_TILE_INL_H_
#endif

#include <cstddef>

#include "kernels/attention-inl.h"
#include "kernels/layers-inl.h"
#include "kernels/query_inputs-inl.h"
#include "kernels/scaffold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Steps 1 to 3: query token, cross-attention, two normalised residuals.  The result goes to the tile's input.
HWY_INLINE void attention_steps(const PackedDecoder& decoder, const CaseState& state, const TileBuffers& t,
                                Index panels) {
  const FluidSplatSpec& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  const Index a = s.attention_width;
  const Panels query_rows = rows_from(t.input, s.tile_inputs() - s.query_inputs());
  tile_product(decoder.query.forward, state.query_bias, query_rows, t.query, panels, a);
  const AttentionFold& f = state.attention;
  tile_product(f.score_map.forward, f.score_bias, query_rows, t.attend_q, panels, s.head_rows());
  attention_forward(s, state, t, panels);
  tile_product(f.out_map.forward, f.out_bias, t.heads, t.normal1, panels, a);
  layer_norm(decoder.at(p.norm1.weight), decoder.at(p.norm1.bias), a, t.normal1, t.query, t.scale1, t.r1, panels);
  tile_product(decoder.ffn0.forward, decoder.at(p.ffn0.bias), t.r1, t.ffn_pre, panels, 2 * a);
  activate_panels(Gelu(), nullptr, t.ffn_pre, t.ffn_post, t.ffn_slope, panels, 2 * a);
  tile_product(decoder.ffn1.forward, decoder.at(p.ffn1.bias), t.ffn_post, t.normal2, panels, a);
  layer_norm(decoder.at(p.norm2.weight), decoder.at(p.norm2.bias), a, t.normal2, t.r1, t.scale2,
             rows_from(t.input, s.state_inputs()), panels);
}

// Steps 4 and 5: the residual MLP.
HWY_INLINE void mlp_steps(const PackedDecoder& decoder, const CaseState& state, const TileBuffers& t, Index panels) {
  const FluidSplatSpec& s = decoder.shape();
  Panels x = t.input;
  for (Index l = 0; l <= s.layers; ++l) {
    const PackedView& w = decoder.mlp[l].forward;
    const float* bias = l == 0 ? state.mlp_bias : decoder.at(decoder.parameters().mlp[l].bias);
    tile_product(w, bias, x, l < s.layers ? t.pre[l] : t.out, panels, w.rows);
    if (l == s.layers) break;
    activate(s, s.modulated() ? state.modulation + l * 2 * s.width : nullptr, t.pre[l], t.post[l], t.slope[l], panels);
    x = t.post[l];
  }
}

// From points to scaffold and residual of the tile that begins at panel `first_panel`.
HWY_INLINE void forward_tile(const PackedDecoder& decoder, const CaseState& state, const QueryPoints& points,
                             Index first_panel, Index panels, const TileBuffers& t) {
  const FluidSplatSpec& s = decoder.shape();
  const Index first_row = s.has_decoder() ? s.tile_inputs() - s.query_inputs() : 0;
  load_query_inputs(s, points, first_panel, rows_from(t.input, first_row), panels);
  scaffold_forward(s, state, t, panels);
  if (s.attends()) attention_steps(decoder, state, t, panels);
  if (s.has_decoder()) mlp_steps(decoder, state, t, panels);
}

// Writes the tile's results to the arrays that are wanted, query by query.
HWY_INLINE void store_tile(const FluidSplatSpec& s, const TileBuffers& t, Index first, Index count,
                           const FieldOutputs& out) {
  const Index c = s.channels;
  for (Index i = 0; i < count; ++i) {
    const Index p = i / kPanel, lane = i % kPanel, query = first + i;
    for (Index k = 0; k < c; ++k) {
      const float primitive = t.scaffold.panel(p)[k * kPanel + lane];
      const float residual = s.has_decoder() ? t.out.panel(p)[k * kPanel + lane] : 0.0f;
      if (out.field) out.field[query * c + k] = s.output == Output::kResidual ? residual : primitive + residual;
      if (out.primitive) out.primitive[query * c + k] = primitive;
    }
    if (out.log_mass) out.log_mass[query] = t.log_mass.panel(p)[lane];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_FORWARD_TILE_INL_H_

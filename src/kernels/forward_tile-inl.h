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

#include <algorithm>
#include <cstddef>

#include "kernels/attention-inl.h"
#include "kernels/layers-inl.h"
#include "kernels/query_inputs-inl.h"
#include "kernels/scaffold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// The queries of tile number `tile` of a case that has `queries`.
struct TileQueries {
  TileQueries(Index tile, Index queries)
      : first(tile * kTilePanels * kPanel),
        count(std::min(kTilePanels * kPanel, queries - first)),
        panels((count + kPanel - 1) / kPanel) {}
  Index first, count;
  Index panels;  // that hold them; the last may have idle lanes
};

// Steps 1 to 3: query token, cross-attention, two normalised residuals.  The result goes to the tile's input.
HWY_INLINE void attention_steps(const ForwardTile& tile) {
  const PackedDecoder& decoder = tile.decoder;
  const FluidSplatSpec& s = tile.shape();
  const Parameters& p = decoder.parameters();
  const AttentionFold& f = tile.state.attention;
  const TileBuffers& t = tile.buffers;
  const Index panels = tile.panels;
  const Panels mesh = query_rows(s, t.input);
  tile_product(decoder.query.forward, tile.state.query_bias, mesh, t.query, panels);
  tile_product(f.score_map.forward, f.score_bias, mesh, t.attend_q, panels);
  attention_forward(tile);
  tile_product(f.out_map.forward, f.out_bias, t.heads, t.norm1.normal, panels);
  layer_norm(decoder.at(p.norm1.weight), decoder.at(p.norm1.bias), t.norm1, t.query, t.attended, panels);
  tile_product(decoder.ffn0.forward, decoder.at(p.ffn0.bias), t.attended, t.ffn_pre, panels);
  activate_panels(Gelu(), {.pre = t.ffn_pre, .post = t.ffn_post, .slope = t.ffn_slope}, panels);
  tile_product(decoder.ffn1.forward, decoder.at(p.ffn1.bias), t.ffn_post, t.norm2.normal, panels);
  layer_norm(decoder.at(p.norm2.weight), decoder.at(p.norm2.bias), t.norm2, t.attended, attention_rows(s, t.input),
             panels);
}

// Steps 4 and 5: the residual MLP.
HWY_INLINE void mlp_steps(const ForwardTile& tile) {
  const PackedDecoder& decoder = tile.decoder;
  const FluidSplatSpec& s = tile.shape();
  const TileBuffers& t = tile.buffers;
  Panels x = t.input;
  for (Index l = 0; l <= s.layers; ++l) {
    const float* bias = l == 0 ? tile.state.mlp_bias : decoder.at(decoder.parameters().mlp[l].bias);
    tile_product(decoder.mlp[l].forward, bias, x, l < s.layers ? t.pre[l] : t.out, tile.panels);
    if (l == s.layers) break;
    const float* modulation = s.modulated() ? tile.state.modulation + l * 2 * s.width : nullptr;
    activate(s, {.pre = t.pre[l], .post = t.post[l], .slope = t.slope[l], .modulation = modulation}, tile.panels);
    x = t.post[l];
  }
}

// From points to scaffold and residual of the tile that begins at query `first`.
HWY_INLINE void forward_tile(const ForwardTile& tile, const QueryPoints& points, Index first) {
  const FluidSplatSpec& s = tile.shape();
  load_query_inputs(s, points, first, query_rows(s, tile.buffers.input), tile.panels);
  scaffold_forward(tile);
  if (s.attends()) attention_steps(tile);
  if (s.has_decoder()) mlp_steps(tile);
}

// FieldOutputs::length of one panel, from its last hidden layer; four directions at a time stay in the first-level
// cache.
HWY_INLINE void panel_length(const LayerDirections& directions, const float* hidden, float* length) {
  const Tag d;
  const PackedView all = directions.weight();
  HWY_ALIGN float products[kPackRows * kPanel];
  Vec sum[kPanelVectors];
  for (auto& s : sum) s = hn::Zero(d);
  for (Index row = 0; row < all.rows; row += kPackRows) {
    const Index rows = std::min(kPackRows, all.rows - row);
    panel_product<Start::kBias>(all.some_rows(row, rows), directions.bias() + row, hidden, products);
    for (Index i = 0; i < rows; ++i)
      for (int j = 0; j < kPanelVectors; ++j) {
        const Vec x = hn::Load(d, products + i * kPanel + j * kLanes);
        sum[j] = hn::MulAdd(x, x, sum[j]);
      }
  }
  for (int j = 0; j < kPanelVectors; ++j)
    hn::StoreU(hn::Sqrt(hn::Mul(sum[j], hn::Set(d, 1.0f / float(all.rows)))), d, length + j * kLanes);
}

// Writes the tile's results to the arrays that are wanted, query by query.
HWY_INLINE void store_tile(const FluidSplatSpec& s, const TileBuffers& t, const TileQueries& q,
                           const FieldOutputs& out) {
  const Index c = s.channels;
  for (Index p = 0; out.length && p < q.panels; ++p) {
    float lengths[kPanel];
    panel_length(*out.directions, t.post[s.layers - 1].panel(p), lengths);
    std::copy_n(lengths, std::min(kPanel, q.count - p * kPanel), out.length + q.first + p * kPanel);
  }
  for (Index i = 0; i < q.count; ++i) {
    const Index p = i / kPanel, lane = i % kPanel, query = q.first + i;
    for (Index k = 0; k < c; ++k) {
      const float primitive = t.scaffold.panel(p)[k * kPanel + lane];
      const float residual = s.has_decoder() ? t.out.panel(p)[k * kPanel + lane] : 0.0f;
      if (out.field) out.field[query * c + k] = s.output == Output::kResidual ? residual : primitive + residual;
      if (out.primitive) out.primitive[query * c + k] = primitive;
    }
    if (out.log_mass) out.log_mass[query] = t.log_mass.panel(p)[lane];
    for (Index k = 0; out.hidden && k < s.width; ++k)
      out.hidden[query * s.width + k] = t.post[s.layers - 1].panel(p)[k * kPanel + lane];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_FORWARD_TILE_INL_H_

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The gradient of forward_tile-inl.h, step by step in reverse.
#if defined(FLUIDSPLAT_KERNELS_BACKWARD_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_BACKWARD_TILE_INL_H_
#undef FLUIDSPLAT_KERNELS_BACKWARD_TILE_INL_H_
#else
#define FLUIDSPLAT_KERNELS_BACKWARD_TILE_INL_H_
#endif

#include <cstddef>

#include "kernels/attention_backward-inl.h"
#include "kernels/forward_tile-inl.h"
#include "kernels/scaffold_backward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Adds the gradients of y = W x + bias, unless they are not wanted.  `scratch` is BackwardBuffers::transposed.
HWY_INLINE void add_linear_gradient(Panels y_gradient, Panels x, Index panels, float* scratch, const LinearSums& sums) {
  if (!sums.weight) return;
  add_weight_gradient(y_gradient, x, panels, scratch, sums.weight);
  add_row_sums(y_gradient, panels, sums.bias);
}

// From b.out to b.input.
HWY_INLINE void mlp_backward(const BackwardTile& tile) {
  const FluidSplatSpec& s = tile.shape();
  const BackwardBuffers& b = tile.buffers;
  const TileBuffers& t = b.forward;
  const Index panels = tile.panels;
  Panels gradient = b.out;
  for (Index l = s.layers + 1; l-- > 0;) {
    if (tile.weights) {
      LinearSums sums = tile.weights->at(tile.weights->layout.mlp[l]);
      if (l == 0) sums.bias = tile.shared->mlp_bias;  // z is folded into it
      add_linear_gradient(gradient, l == 0 ? t.input : t.post[l - 1], panels, b.transposed, sums);
    }
    const PackedView& back = tile.decoder.mlp[l].backward;
    if (l == 0) {
      // Mesh inputs come last and have a gradient only through positions.
      const Index rows = tile.positions ? back.rows : back.rows - s.query_inputs();
      tile_product(back, nullptr, gradient, some_rows(b.input, 0, rows), panels);
      break;
    }
    const Panels next = b.hidden[l % 2];
    tile_product(back, nullptr, gradient, next, panels);
    if (s.modulated()) {
      const Index at = (l - 1) * 2 * s.width;
      modulated_backward(tile.state.modulation + at, next, t.pre[l - 1], t.slope[l - 1], panels,
                         tile.shared ? tile.shared->modulation + at : nullptr);
    } else {
      multiply_panels(next, t.slope[l - 1], panels);
    }
    gradient = next;
  }
}

// The gradients of a layer normalisation's parameters, where they are wanted, and of its input.
HWY_INLINE void norm_backward(const float* weight, const NormPanels& norm, Panels gradient, Panels x_gradient,
                              Index panels, const LinearSums& sums) {
  if (sums.weight) {
    add_row_products(gradient, norm.normal, panels, sums.weight);
    add_row_sums(gradient, panels, sums.bias);
  }
  layer_norm_backward(weight, norm, gradient, x_gradient, panels);
}

// The gradients of a linear map of the mesh inputs and, where positions are wanted, of these inputs.
HWY_INLINE void mesh_backward(const BackwardTile& tile, const TileMatrix& w, Panels gradient, const LinearSums& sums) {
  const FluidSplatSpec& s = tile.shape();
  const BackwardBuffers& b = tile.buffers;
  add_linear_gradient(gradient, query_rows(s, b.forward.input), tile.panels, b.transposed, sums);
  if (!tile.positions) return;
  tile_product(w.backward, nullptr, gradient, b.mesh, tile.panels);
  add_panels(query_rows(s, b.input), b.mesh, tile.panels);
}

// From b.input's attention rows to the query token, adding to b.input's mesh rows when positions are wanted.
HWY_INLINE void attention_steps_backward(const BackwardTile& tile) {
  const PackedDecoder& decoder = tile.decoder;
  const FluidSplatSpec& s = tile.shape();
  const Parameters& p = decoder.parameters();
  const BackwardBuffers& b = tile.buffers;
  const TileBuffers& t = b.forward;
  const Index panels = tile.panels;
  norm_backward(decoder.at(p.norm2.weight), t.norm2, attention_rows(s, b.input), b.sum2, panels,
                tile.sums_of(&GradientLayout::norm2));
  add_linear_gradient(b.sum2, t.ffn_post, panels, b.transposed, tile.sums_of(&GradientLayout::ffn1));
  tile_product(decoder.ffn1.backward, nullptr, b.sum2, b.ffn, panels);
  multiply_panels(b.ffn, t.ffn_slope, panels);
  add_linear_gradient(b.ffn, t.attended, panels, b.transposed, tile.sums_of(&GradientLayout::ffn0));
  tile_product(decoder.ffn0.backward, nullptr, b.ffn, b.attended, panels);
  add_panels(b.attended, b.sum2, panels);
  norm_backward(decoder.at(p.norm1.weight), t.norm1, b.attended, b.sum1, panels, tile.sums_of(&GradientLayout::norm1));
  const AttentionFold& f = tile.state.attention;
  LinearSums out_map, score_map, query = tile.sums_of(&GradientLayout::query);
  if (const CaseGradients* shared = tile.shared) {
    out_map = {.weight = shared->out_map, .bias = shared->out_bias};
    score_map = {.weight = shared->score_map, .bias = shared->score_bias};
    query.bias = shared->query_bias;  // z is folded into it
  }
  add_linear_gradient(b.sum1, t.heads, panels, b.transposed, out_map);
  tile_product(f.out_map.backward, nullptr, b.sum1, b.heads, panels);
  attention_backward(tile);
  // The heads' queries and the query token: both linear in the mesh inputs.
  mesh_backward(tile, f.score_map, b.attend_q, score_map);
  mesh_backward(tile, decoder.query, b.sum1, query);
}

// b.positions += the gradient of the Fourier features: sin' and cos' are already among them.
HWY_INLINE void fourier_backward(const FluidSplatSpec& s, const BackwardBuffers& b, Index panels) {
  const Tag d;
  const Panels values = query_rows(s, b.forward.input), gradients = query_rows(s, b.input);
  const Index block = s.dim * kPanel;
  for (Index p = 0; p < panels; ++p) {
    const float *value = values.panel(p), *g = gradients.panel(p);
    for (Index i = 0; i < block; i += kLanes) {
      Vec sum = hn::Add(hn::LoadU(d, b.positions.panel(p) + i), hn::LoadU(d, g + i));
      float scale = 3.14159265f;
      for (Index band = 0; band < s.bands; ++band, scale *= 2.0f) {
        const Index sine = (1 + 2 * band) * block + i, cosine = sine + block;
        const Vec turn = hn::NegMulAdd(hn::LoadU(d, value + sine), hn::LoadU(d, g + cosine),
                                       hn::Mul(hn::LoadU(d, value + cosine), hn::LoadU(d, g + sine)));
        sum = hn::MulAdd(turn, hn::Set(d, scale), sum);
      }
      hn::StoreU(sum, d, b.positions.panel(p) + i);
    }
  }
}

// From b.out, b.scaffold and b.log_mass, after forward_tile() has filled b.forward.
HWY_INLINE void backward_tile(const BackwardTile& tile) {
  const FluidSplatSpec& s = tile.shape();
  const BackwardBuffers& b = tile.buffers;
  if (tile.positions)
    for (Index p = 0; p < tile.panels; ++p) std::fill_n(b.positions.panel(p), s.dim * kPanel, 0.0f);
  if (s.has_decoder()) {
    mlp_backward(tile);
    if (s.attends()) attention_steps_backward(tile);
    if (s.state_inputs() > 0) state_backward(s, b, tile.panels);
    if (tile.positions) fourier_backward(s, b, tile.panels);
  }
  if (s.dim == 2)
    scaffold_backward<2>(tile);
  else
    scaffold_backward<3>(tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_BACKWARD_TILE_INL_H_

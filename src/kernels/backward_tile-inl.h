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
#include "kernels/gradient_layout.h"
#include "kernels/scaffold_backward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Where a tile's gradients are added.  Null: gradients of weights and of the case are not wanted.
struct TileSums {
  const GradientLayout* layout = nullptr;
  float* weights = nullptr;
  const CaseGradients* shared = nullptr;
  bool positions = false;
};

// Gradients of one linear map's weight and bias (bias_sums may lie outside the weights: folded biases do).
HWY_INLINE void add_linear_gradient(Panels y_gradient, Index rows, Panels x, Index cols, Index panels, float* scratch,
                                    float* weight, float* bias) {
  add_weight_gradient(y_gradient, rows, x, cols, panels, scratch, weight);
  add_row_sums(y_gradient, rows, panels, bias);
}

// From b.out to b.input.
HWY_INLINE void mlp_backward(const PackedDecoder& decoder, const CaseState& state, const BackwardBuffers& b,
                             Index panels, const TileSums& sums) {
  const FluidSplatSpec& s = decoder.shape();
  const TileBuffers& t = b.forward;
  Panels gradient = b.out;
  for (Index l = s.layers + 1; l-- > 0;) {
    const PackedView& back = decoder.mlp[l].backward;
    if (sums.weights) {
      const auto& at = sums.layout->mlp[l];
      add_linear_gradient(gradient, back.cols, l == 0 ? t.input : t.post[l - 1], back.rows, panels, b.transposed,
                          sums.weights + at.weight, l == 0 ? sums.shared->mlp_bias : sums.weights + at.bias);
    }
    if (l == 0) {
      // Mesh inputs come last and have a gradient only through positions.
      const Index rows = sums.positions ? back.rows : back.rows - s.query_inputs();
      tile_product(back, nullptr, gradient, b.input, panels, rows);
      break;
    }
    const Panels next = b.hidden[l % 2];
    tile_product(back, nullptr, gradient, next, panels, back.rows);
    if (s.modulated()) {
      const Index at = (l - 1) * 2 * s.width;
      modulated_backward(state.modulation + at, next, t.pre[l - 1], t.slope[l - 1], s.width, panels,
                         sums.shared ? sums.shared->modulation + at : nullptr);
    } else {
      multiply_panels(next, t.slope[l - 1], s.width, panels);
    }
    gradient = next;
  }
}

// The gradient of LayerNorm's parameters and of its input.
HWY_INLINE void norm_backward(const float* weight, Index rows, Panels gradient, Panels normal, Panels scale,
                              Panels x_gradient, Index panels, const TileSums& sums,
                              GradientLayout::Linear GradientLayout::*norm) {
  if (sums.weights) {
    add_row_products(gradient, normal, rows, panels, sums.weights + (sums.layout->*norm).weight);
    add_row_sums(gradient, rows, panels, sums.weights + (sums.layout->*norm).bias);
  }
  layer_norm_backward(weight, rows, gradient, normal, scale, x_gradient, panels);
}

// Gradients of a linear map of the mesh inputs: of its weight and bias unless these are null and, if wanted, of the
// inputs.
HWY_INLINE void mesh_backward(const FluidSplatSpec& s, const TileMatrix& w, Panels gradient, const BackwardBuffers& b,
                              Index panels, bool positions, float* weight, float* bias) {
  const Index inputs = s.query_inputs(), mesh_row = s.tile_inputs() - inputs;
  if (weight)
    add_linear_gradient(gradient, w.forward.rows, rows_from(b.forward.input, mesh_row), inputs, panels, b.transposed,
                        weight, bias);
  if (!positions) return;
  tile_product(w.backward, nullptr, gradient, b.mesh, panels, inputs);
  add_panels(rows_from(b.input, mesh_row), b.mesh, inputs, panels);
}

// From b.input's attention rows to the query token, adding to b.input's mesh rows when positions are wanted.
HWY_INLINE void attention_steps_backward(const PackedDecoder& decoder, const CaseState& state, const BackwardBuffers& b,
                                         Index panels, const TileSums& sums) {
  const FluidSplatSpec& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  const TileBuffers& t = b.forward;
  const Index a = s.attention_width;
  const auto linear = [&](Panels gradient, Index rows, Panels x, Index cols,
                          GradientLayout::Linear GradientLayout::*at) HWY_ATTR {
    if (sums.weights)
      add_linear_gradient(gradient, rows, x, cols, panels, b.transposed, sums.weights + (sums.layout->*at).weight,
                          sums.weights + (sums.layout->*at).bias);
  };
  norm_backward(decoder.at(p.norm2.weight), a, rows_from(b.input, s.state_inputs()), t.normal2, t.scale2, b.sum2,
                panels, sums, &GradientLayout::norm2);
  linear(b.sum2, a, t.ffn_post, 2 * a, &GradientLayout::ffn1);
  tile_product(decoder.ffn1.backward, nullptr, b.sum2, b.ffn, panels, 2 * a);
  multiply_panels(b.ffn, t.ffn_slope, 2 * a, panels);
  linear(b.ffn, 2 * a, t.r1, a, &GradientLayout::ffn0);
  tile_product(decoder.ffn0.backward, nullptr, b.ffn, b.r1, panels, a);
  add_panels(b.r1, b.sum2, a, panels);
  norm_backward(decoder.at(p.norm1.weight), a, b.r1, t.normal1, t.scale1, b.sum1, panels, sums, &GradientLayout::norm1);
  const AttentionFold& f = state.attention;
  const CaseGradients* shared = sums.shared;
  if (shared)
    add_linear_gradient(b.sum1, a, t.heads, s.head_rows(), panels, b.transposed, shared->out_map, shared->out_bias);
  tile_product(f.out_map.backward, nullptr, b.sum1, b.heads, panels, s.head_rows());
  attention_backward(s, state, b, panels, shared);
  // The heads' queries and the query token: both linear in the mesh inputs.
  mesh_backward(s, f.score_map, b.attend_q, b, panels, sums.positions, shared ? shared->score_map : nullptr,
                shared ? shared->score_bias : nullptr);
  mesh_backward(s, decoder.query, b.sum1, b, panels, sums.positions,
                sums.weights ? sums.weights + sums.layout->query.weight : nullptr,
                shared ? shared->query_bias : nullptr);
}

// b.positions += the gradient of the Fourier features: sin' and cos' are already among them.
HWY_INLINE void fourier_backward(const FluidSplatSpec& s, const BackwardBuffers& b, Index panels) {
  const Tag d;
  const Index mesh_row = s.tile_inputs() - s.query_inputs(), block = s.dim * kPanel;
  for (Index p = 0; p < panels; ++p) {
    const float *value = b.forward.input.panel(p) + mesh_row * kPanel, *g = b.input.panel(p) + mesh_row * kPanel;
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
HWY_INLINE void backward_tile(const PackedDecoder& decoder, const CaseState& state, const BackwardBuffers& b,
                              Index panels, const TileSums& sums) {
  const FluidSplatSpec& s = decoder.shape();
  if (sums.positions)
    for (Index p = 0; p < panels; ++p) std::fill_n(b.positions.panel(p), s.dim * kPanel, 0.0f);
  if (s.has_decoder()) {
    mlp_backward(decoder, state, b, panels, sums);
    if (s.attends()) attention_steps_backward(decoder, state, b, panels, sums);
    if (s.state_inputs() > 0) state_backward(s, b, panels);
    if (sums.positions) fourier_backward(s, b, panels);
  }
  float* moments = sums.shared ? sums.shared->moments : nullptr;
  if (s.dim == 2)
    scaffold_backward<2>(s, state, b, panels, moments, sums.positions);
  else
    scaffold_backward<3>(s, state, b, panels, moments, sums.positions);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_BACKWARD_TILE_INL_H_

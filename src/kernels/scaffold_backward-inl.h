// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#if defined(FLUIDSPLAT_KERNELS_SCAFFOLD_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_SCAFFOLD_BACKWARD_INL_H_
#undef FLUIDSPLAT_KERNELS_SCAFFOLD_BACKWARD_INL_H_
#else
#define FLUIDSPLAT_KERNELS_SCAFFOLD_BACKWARD_INL_H_
#endif

#include <cstddef>

#include "kernels/context.h"
#include "kernels/layers_backward-inl.h"
#include "kernels/primitive_maps.h"
#include "kernels/scaffold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Gradients of the state features, carried to the mean amplitude and the log mass they were made from.
HWY_INLINE void state_backward(const FluidSplatSpec& s, const BackwardBuffers& b, Index panels) {
  const Tag d;
  const Index c = s.channels;
  for (Index p = 0; p < panels; ++p) {
    const float* state = b.input.panel(p);
    for (Index i = 0; i < c * kPanel; i += kLanes) {
      float* at = b.scaffold.panel(p) + i;
      hn::StoreU(hn::Add(hn::LoadU(d, at), hn::LoadU(d, state + i)), d, at);
    }
    for (Index i = 0; i < kPanel; i += kLanes) {
      // d log(1 + m) / d log m = m / (1 + m).
      const Vec share = sigmoid(d, hn::LoadU(d, b.forward.log_mass.panel(p) + i));
      float* at = b.log_mass.panel(p) + i;
      hn::StoreU(hn::MulAdd(share, hn::LoadU(d, state + c * kPanel + i), hn::LoadU(d, at)), d, at);
    }
  }
}

// sums[row] += sum over the tile of a row of `a` times `weights` [tile].
HWY_INLINE void add_row_weights(const float* weights, Panels a, Index panels, float* sums) {
  const Tag d;
  for (Index row = 0; row < a.rows; ++row) {
    Vec sum = hn::Zero(d);
    for (Index p = 0; p < panels; ++p)
      for (Index i = 0; i < kPanel; i += kLanes)
        sum = hn::MulAdd(hn::LoadU(d, weights + p * kPanel + i), hn::LoadU(d, a.panel(p) + row * kPanel + i), sum);
    sums[row] += lane_sum(sum);
  }
}

// From b.scaffold and b.log_mass to the moments of every primitive and to b.positions, where these are wanted.  With g
// the gradient of the mean f and e that of the log mass, the gradient of l_k is psi_k (g . (a_k - f) + e).
template <int kDim>
HWY_NOINLINE inline void scaffold_backward(const BackwardTile& tile) {
  const Tag d;
  const FluidSplatSpec& s = tile.shape();
  const CaseState& state = tile.state;
  const BackwardBuffers& b = tile.buffers;
  const TileBuffers& t = b.forward;
  const Panels x_rows = query_rows(s, t.input);
  const auto amplitudes = PackedView::whole(state.amplitudes, s.channels, s.primitives);
  float* moments = tile.shared ? tile.shared->moments : nullptr;
  const bool positions = tile.positions;
  const Index c = s.channels, panels = tile.panels;
  const Index gaussian_size = CaseState::gaussian_size(kDim), moments_size = moment_count(s);
  // e - g . f does not depend on k; it takes the place of e.
  for (Index p = 0; p < panels; ++p)
    for (Index i = 0; i < kPanel; i += kLanes) {
      Vec constant = hn::LoadU(d, b.log_mass.panel(p) + i);
      for (Index row = i; row < c * kPanel; row += kPanel)
        constant =
            hn::NegMulAdd(hn::LoadU(d, b.scaffold.panel(p) + row), hn::LoadU(d, t.scaffold.panel(p) + row), constant);
      hn::StoreU(constant, d, b.log_mass.panel(p) + i);
    }
  for (Index k = 0; k < s.primitives; ++k) {
    const float* gaussian = state.gaussians + k * gaussian_size;
    Vec zeroth = hn::Zero(d), first[kDim], second[kDim][kDim];
    for (int i = 0; i < kDim; ++i) {
      first[i] = hn::Zero(d);
      for (int j = i; j < kDim; ++j) second[i][j] = hn::Zero(d);
    }
    for (Index p = 0; p < panels; ++p)
      for (Index i = 0; i < kPanel; i += kLanes) {
        Vec x[kDim];
        for (int axis = 0; axis < kDim; ++axis) x[axis] = hn::LoadU(d, x_rows.panel(p) + axis * kPanel + i);
        const GaussianTerm<kDim> term(gaussian, x);
        const Vec weight = exp(d, hn::Sub(term.l, hn::LoadU(d, t.log_mass.panel(p) + i)));
        hn::StoreU(weight, d, b.partition + p * kPanel + i);
        Vec g = hn::LoadU(d, b.log_mass.panel(p) + i);
        for (Index row = 0; row < c; ++row)
          g = hn::MulAdd(hn::Set(d, amplitudes(row, k)), hn::LoadU(d, b.scaffold.panel(p) + row * kPanel + i), g);
        g = hn::Mul(g, weight);
        zeroth = hn::Add(zeroth, g);
        for (int m = 0; m < kDim; ++m) {
          const Vec gy = hn::Mul(g, term.offset[m]);
          first[m] = hn::Add(first[m], gy);
          for (int n = m; n < kDim; ++n) second[m][n] = hn::MulAdd(gy, term.offset[n], second[m][n]);
        }
        if (!positions) continue;
        // dl/dx = -2 W^T W y, W the whitening matrix.
        for (int row = 0; row < kDim; ++row) {
          const float* w = gaussian + kDim + row * kDim;
          Vec u = hn::Mul(hn::Set(d, w[0]), term.offset[0]);
          for (int j = 1; j < kDim; ++j) u = hn::MulAdd(hn::Set(d, w[j]), term.offset[j], u);
          u = hn::Mul(hn::Mul(u, g), hn::Set(d, -2.0f));
          for (int j = 0; j < kDim; ++j) {
            float* at = b.positions.panel(p) + j * kPanel + i;
            hn::StoreU(hn::MulAdd(u, hn::Set(d, w[j]), hn::LoadU(d, at)), d, at);
          }
        }
      }
    if (!moments) continue;
    float* out = moments + k * moments_size;
    *out++ += lane_sum(zeroth);
    for (int i = 0; i < kDim; ++i) *out++ += lane_sum(first[i]);
    for (int i = 0; i < kDim; ++i)
      for (int j = i; j < kDim; ++j) *out++ += lane_sum(second[i][j]);
    add_row_weights(b.partition, b.scaffold, panels, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_SCAFFOLD_BACKWARD_INL_H_

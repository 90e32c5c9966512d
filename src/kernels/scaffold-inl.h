// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The primitive scaffold: Gaussians, their partition of unity, their mass.
#if defined(FLUIDSPLAT_KERNELS_SCAFFOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_SCAFFOLD_INL_H_
#undef FLUIDSPLAT_KERNELS_SCAFFOLD_INL_H_
#else
#define FLUIDSPLAT_KERNELS_SCAFFOLD_INL_H_
#endif

#include <cstddef>

#include "kernels/context.h"
#include "kernels/query_inputs-inl.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// u = whitening (x - centre) and l = log w - |u|^2 for one vector of queries and one Gaussian record.
template <int kDim>
struct GaussianTerm {
  Vec offset[kDim], l;
  HWY_INLINE GaussianTerm(const float* HWY_RESTRICT gaussian, const Vec (&x)[kDim]) {
    const Tag d;
    for (int i = 0; i < kDim; ++i) offset[i] = hn::Sub(x[i], hn::Set(d, gaussian[i]));
    l = hn::Set(d, gaussian[kDim + kDim * kDim]);
    for (int i = 0; i < kDim; ++i) {
      const float* row = gaussian + kDim + i * kDim;
      Vec u = hn::Mul(hn::Set(d, row[0]), offset[0]);
      for (int j = 1; j < kDim; ++j) u = hn::MulAdd(hn::Set(d, row[j]), offset[j], u);
      l = hn::NegMulAdd(u, u, l);
    }
  }
};

// scores[count][kPanel] = l of `count` Gaussians, to base 2.  positions: kDim rows of the panel.
template <int kDim>
HWY_INLINE void gaussian_scores(const float* gaussians, Index count, const float* positions, float* scores) {
  const Tag d;
  constexpr Index kSize = kDim + kDim * kDim + 1;
  Vec x[kPanelVectors][kDim];
  for (int j = 0; j < kPanelVectors; ++j)
    for (int axis = 0; axis < kDim; ++axis) x[j][axis] = hn::LoadU(d, positions + axis * kPanel + j * kLanes);
  for (Index k = 0; k < count; ++k)
    for (int j = 0; j < kPanelVectors; ++j)
      hn::StoreU(hn::Mul(GaussianTerm<kDim>(gaussians + k * kSize, x[j]).l, hn::Set(d, kLog2e)), d,
                 scores + k * kPanel + j * kLanes);
}

// Mean amplitude and log mass of panel `p`.
template <int kDim>
HWY_NOINLINE inline void scaffold_panel(const ForwardTile& tile, Index p) {
  const FluidSplatSpec& s = tile.shape();
  const CaseState& state = tile.state;
  const TileBuffers& t = tile.buffers;
  const float* positions = query_rows(s, t.input).panel(p);
  float *mean = t.scaffold.panel(p), *log_mass = t.log_mass.panel(p);
  const auto amplitudes = PackedView::whole(state.amplitudes, s.channels, s.primitives);
  const RunningSoftmax running{.max = t.softmax_max, .sum = t.softmax_sum, .result = mean, .rows = s.channels};
  const Index block = key_block_size(s.primitives);
  for (Index first = 0; first < s.primitives; first += block) {
    const Index count = std::min(block, s.primitives - first);
    gaussian_scores<kDim>(state.gaussians + first * CaseState::gaussian_size(kDim), count, positions, t.scores);
    softmax_block(t.scores, count, first == 0, running);
    add_weighted_values(amplitudes.some_columns(first, count), t.scores, first == 0, mean);
  }
  softmax_finish(running, log_mass);
  const Tag d;
  for (Index i = 0; i < kPanel; i += kLanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, log_mass + i), hn::Set(d, kLn2)), d, log_mass + i);
}

// State features of one panel: mean amplitude, log(1 + mass).
HWY_INLINE void state_panel(Index channels, const float* mean, const float* log_mass, float* state) {
  const Tag d;
  std::copy_n(mean, channels * kPanel, state);
  for (Index i = 0; i < kPanel; i += kLanes)
    hn::StoreU(log1p(d, exp(d, hn::LoadU(d, log_mass + i))), d, state + channels * kPanel + i);
}

HWY_INLINE void scaffold_forward(const ForwardTile& tile) {
  const FluidSplatSpec& s = tile.shape();
  const TileBuffers& t = tile.buffers;
  for (Index p = 0; p < tile.panels; ++p) {
    if (s.dim == 2)
      scaffold_panel<2>(tile, p);
    else
      scaffold_panel<3>(tile, p);
    if (s.state_inputs() > 0) state_panel(s.channels, t.scaffold.panel(p), t.log_mass.panel(p), t.input.panel(p));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_SCAFFOLD_INL_H_

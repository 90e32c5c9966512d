// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What depends on the mesh alone: Fourier features of the position, then the query's own features.
#if defined(FLUIDSPLAT_KERNELS_QUERY_INPUTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_QUERY_INPUTS_INL_H_
#undef FLUIDSPLAT_KERNELS_QUERY_INPUTS_INL_H_
#else
#define FLUIDSPLAT_KERNELS_QUERY_INPUTS_INL_H_
#endif

#include <cstddef>

#include "kernels/forward.h"
#include "kernels/product-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Rows of a tile's input (FluidSplatSpec::tile_inputs has their order): the attention's result, and the query inputs.
HWY_INLINE Panels attention_rows(const FluidSplatSpec& s, Panels input) {
  return some_rows(input, s.state_inputs(), s.attention_inputs());
}
HWY_INLINE Panels query_rows(const FluidSplatSpec& s, Panels input) {
  return some_rows(input, s.tile_inputs() - s.query_inputs(), s.query_inputs());
}

// Rows of one panel: [x | sin(pi x) | cos(pi x) | sin(2 pi x) | ... | features] for queries first ... first + kPanel.
// Past the last query the last one is repeated, so that idle lanes hold ordinary numbers.
HWY_INLINE void query_inputs_panel(const FluidSplatSpec& s, const QueryPoints& points, Index first, float* rows) {
  const Tag d;
  const Index dim = s.dim, block = dim * kPanel;
  float* features = rows + s.fourier() * kPanel;
  for (Index i = 0; i < kPanel; ++i) {
    const Index query = std::min(first + i, points.count - 1);
    for (Index axis = 0; axis < dim; ++axis) rows[axis * kPanel + i] = points.positions[query * dim + axis];
    for (Index f = 0; f < s.features; ++f) features[f * kPanel + i] = points.features[query * s.features + f];
  }
  float scale = 1.0f;
  for (Index band = 0; band < s.bands; ++band, scale *= 2.0f) {
    float* sine = rows + (1 + 2 * band) * block;
    for (Index i = 0; i < block; i += kLanes) {
      const Vec x = hn::Mul(hn::LoadU(d, rows + i), hn::Set(d, scale));
      hn::StoreU(sin_pi(d, x), d, sine + i);
      hn::StoreU(cos_pi(d, x), d, sine + block + i);
    }
  }
}

// The query rows of the tile that begins at query `first`, computed or copied from a plan's cache
// ([panel][query_inputs][kPanel]).
HWY_INLINE void load_query_inputs(const FluidSplatSpec& s, const QueryPoints& points, Index first, Panels rows,
                                  Index panels) {
  for (Index p = 0; p < panels; ++p, first += kPanel)
    if (points.cached)
      std::copy_n(points.cached + first * s.query_inputs(), s.query_inputs() * kPanel, rows.panel(p));
    else
      query_inputs_panel(s, points, first, rows.panel(p));
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_QUERY_INPUTS_INL_H_

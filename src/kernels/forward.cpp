// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/forward.h"

#include <omp.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward.cpp"
#include <hwy/foreach_target.h>

#include "kernels/forward_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

Index panel_width_for_target() {
  return kPanel;
}

void forward_for_target(const PackedDecoder& decoder, const ForwardCase& c, Index tile, const TileBuffers& buffers) {
  const TileQueries q(tile, c.points.count);
  forward_tile({.decoder = decoder, .state = *c.state, .buffers = buffers, .panels = q.panels}, c.points, q.first);
  store_tile(decoder.shape(), buffers, q, c.out);
}

void cache_for_target(const FluidSplatSpec& shape, const QueryPoints& points, float* cache) {
  const Index size = shape.query_inputs() * kPanel;
  for (Index first = 0; first < points.count; first += kPanel, cache += size)
    query_inputs_panel(shape, points, first, cache);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(panel_width_for_target);
HWY_EXPORT(forward_for_target);
HWY_EXPORT(cache_for_target);

Index panel_width() {
  return HWY_DYNAMIC_DISPATCH(panel_width_for_target)();
}

Index query_cache_size(const FluidSplatSpec& shape, Index count) {
  return shape.query_inputs() * round_up(count, panel_width());
}

void cache_query_inputs(const FluidSplatSpec& shape, const QueryPoints& points, float* cache) {
  HWY_DYNAMIC_DISPATCH(cache_for_target)(shape, points, cache);
}

ForwardWorkspace::ForwardWorkspace(const FluidSplatSpec& shape, int threads) {
  Carver measure;
  for (int i = 0; i < threads; ++i) TileBuffers(shape, false, measure);
  storage_ = Buffer(measure.used());
  Carver carver(storage_.data());
  for (int i = 0; i < threads; ++i) tiles_.emplace_back(shape, false, carver);
}

void forward(const PackedDecoder& decoder, const ForwardCase* cases, Index case_count,
             const ForwardWorkspace& workspace) {
  const Index width = tile_width();
  Index tiles = 0;
  for (Index i = 0; i < case_count; ++i) tiles += (cases[i].points.count + width - 1) / width;
  const int threads = int(std::min<Index>(workspace.threads(), tiles));
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
  for (Index item = 0; item < tiles; ++item) {
    Index tile = item, i = 0;
    for (Index count; tile >= (count = (cases[i].points.count + width - 1) / width); ++i) tile -= count;
    HWY_DYNAMIC_DISPATCH(forward_for_target)
    (decoder, cases[i], tile, workspace.tile(omp_get_thread_num()));
  }
}

}  // namespace fluidsplat::kernels
#endif

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/backward.h"

#include <omp.h>

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward.cpp"
#include <hwy/foreach_target.h>

#include "kernels/backward_tile-inl.h"
#include "kernels/fold_backward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// rows[channel][query] += gradient[query][channel] for the tile's queries; idle lanes keep their zeros.
HWY_INLINE void add_upstream(const float* gradient, const TileQueries& q, Panels rows) {
  for (Index i = 0; gradient && i < q.count; ++i)
    for (Index c = 0; c < rows.rows; ++c)
      rows.panel(i / kPanel)[c * kPanel + i % kPanel] += gradient[(q.first + i) * rows.rows + c];
}

// The same for the gradient of the squared error against c.target.
HWY_INLINE void add_error(const BackwardCase& c, const TileQueries& q, Panels rows) {
  for (Index i = 0; c.target && i < q.count; ++i)
    for (Index k = 0; k < rows.rows; ++k) {
      const Index at = (q.first + i) * rows.rows + k;
      rows.panel(i / kPanel)[k * kPanel + i % kPanel] += 2.0f * c.weight[at] * (c.field[at] - c.target[at]);
    }
}

// Upstream gradients to where each enters the tile.
HWY_INLINE void load_upstream(const FluidSplatSpec& s, const BackwardCase& c, const TileQueries& q,
                              const BackwardBuffers& b) {
  for (const Panels& x : {b.out, b.scaffold, b.log_mass})
    for (Index p = 0; p < kTilePanels; ++p) std::fill_n(x.panel(p), x.rows * kPanel, 0.0f);
  if (s.has_decoder()) {
    add_upstream(c.field_gradient, q, b.out);
    add_error(c, q, b.out);
  }
  if (s.output != Output::kResidual) {
    add_upstream(c.field_gradient, q, b.scaffold);
    add_error(c, q, b.scaffold);
  }
  add_upstream(c.primitive_gradient, q, b.scaffold);
  add_upstream(c.log_mass_gradient, q, b.log_mass);
}

// The positions' gradients of `count` queries, `stride` floats apart.
HWY_INLINE void store_positions(Panels positions, Index count, float* out, Index stride) {
  for (Index i = 0; i < count; ++i)
    for (Index axis = 0; axis < positions.rows; ++axis)
      out[i * stride + axis] = positions.panel(i / kPanel)[axis * kPanel + i % kPanel];
}

void backward_tile_for_target(const PackedDecoder& decoder, const BackwardCase& c, Index tile, const BackwardBuffers& b,
                              const WeightSums& weights, const CaseGradients& shared) {
  const FluidSplatSpec& s = decoder.shape();
  const TileQueries q(tile, c.points.count);
  const BackwardTile pass{.decoder = decoder,
                          .state = *c.state,
                          .buffers = b,
                          .panels = q.panels,
                          .weights = &weights,
                          .shared = &shared,
                          .positions = c.positions_gradient != nullptr};
  forward_tile(pass.forward(), c.points, q.first);
  store_tile(s, b.forward, q, {.field = c.field});
  load_upstream(s, c, q, b);
  backward_tile(pass);
  if (pass.positions) store_positions(b.positions, q.count, c.positions_gradient + q.first * s.dim, s.dim);
}

void fold_backward_for_target(const FoldBackward& fold) {
  fold_backward(fold);
}

// One reverse sweep per channel, with that channel's field as the loss; lanes do not mix, so each query gets its own
// row.
void jacobian_for_target(const PackedDecoder& decoder, const ForwardCase& c, Index tile, const BackwardBuffers& b,
                         float* jacobian) {
  const FluidSplatSpec& s = decoder.shape();
  const TileQueries q(tile, c.points.count);
  const BackwardTile pass{.decoder = decoder, .state = *c.state, .buffers = b, .panels = q.panels, .positions = true};
  forward_tile(pass.forward(), c.points, q.first);
  store_tile(s, b.forward, q, c.out);
  for (Index channel = 0; channel < s.channels; ++channel) {
    load_upstream(s, {}, q, b);
    for (Index p = 0; p < q.panels; ++p) {
      std::fill_n(b.out.panel(p) + channel * kPanel, kPanel, 1.0f);
      if (s.output != Output::kResidual) std::fill_n(b.scaffold.panel(p) + channel * kPanel, kPanel, 1.0f);
    }
    backward_tile(pass);
    const Index stride = s.channels * s.dim;
    store_positions(b.positions, q.count, jacobian + q.first * stride + channel * s.dim, stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(backward_tile_for_target);
HWY_EXPORT(fold_backward_for_target);
HWY_EXPORT(jacobian_for_target);

namespace {

// Sums that are formed independently and then added in order.  A constant, so that results do not depend on threads.
constexpr Index kGroups = 16;

Index tile_count(const QueryPoints& points) {
  return (points.count + tile_width() - 1) / tile_width();
}

// Item i of n, cut into `parts` nearly equal runs: where run `part` begins.
Index run_begin(Index n, Index parts, Index part) {
  return n * part / parts;
}

// Few cases are cut into several parts each, so that there is work for every group.
Index parts_per_case(Index cases) {
  return (kGroups + cases - 1) / cases;
}

}  // namespace

BackwardWorkspace::BackwardWorkspace(const FluidSplatSpec& shape, Index cases, int threads)
    : cases_(cases), threads_(threads), layout_(shape) {
  Carver measure;
  arrange(shape, measure);
  storage_ = Buffer(measure.used());
  tiles_.clear(), folds_.clear(), case_sums_.clear();
  Carver carver(storage_.data());
  arrange(shape, carver);
}

void BackwardWorkspace::arrange(const FluidSplatSpec& shape, Carver& carver) {
  for (int i = 0; i < threads_; ++i) {
    tiles_.emplace_back(shape, carver);
    folds_.emplace_back(shape, carver);
  }
  // Any number of cases up to cases_ makes fewer units than this.
  for (Index i = 0; i < cases_ + kGroups; ++i) case_sums_.emplace_back(shape, carver);
  partials_ = carver.take(kGroups * layout_.size());
}

void backward(const PackedDecoder& decoder, const BackwardCase* cases, Index case_count, float* parameter_gradient,
              BackwardWorkspace& w) {
  assert(case_count >= 1 && case_count <= w.cases_ && decoder.for_gradients());
  const Index parts = parts_per_case(case_count), units = case_count * parts;
  const auto partial = [&](Index group) {
    return WeightSums{.layout = w.layout_, .data = w.partials_ + group * w.layout_.size()};
  };
#pragma omp parallel for schedule(dynamic) num_threads(w.threads_) if (w.threads_ > 1)
  for (Index group = 0; group < kGroups; ++group) {
    const WeightSums weights = partial(group);
    std::fill_n(weights.data, w.layout_.size(), 0.0f);
    for (Index unit = run_begin(units, kGroups, group); unit < run_begin(units, kGroups, group + 1); ++unit) {
      const BackwardCase& c = cases[unit / parts];
      const Index tiles = tile_count(c.points), part = unit % parts;
      const CaseGradients& shared = w.case_sums_[unit];
      std::fill_n(shared.begin, shared.size, 0.0f);
      const BackwardBuffers& buffers = w.tiles_[omp_get_thread_num()];
      for (Index tile = run_begin(tiles, parts, part); tile < run_begin(tiles, parts, part + 1); ++tile)
        HWY_DYNAMIC_DISPATCH(backward_tile_for_target)(decoder, c, tile, buffers, weights, shared);
    }
  }
#pragma omp parallel for schedule(dynamic) num_threads(w.threads_) if (w.threads_ > 1)
  for (Index group = 0; group < kGroups; ++group)
    for (Index i = run_begin(case_count, kGroups, group); i < run_begin(case_count, kGroups, group + 1); ++i) {
      const BackwardCase& c = cases[i];
      const CaseGradients& shared = w.case_sums_[i * parts];
      for (Index part = 1; part < parts; ++part)
        for (Index j = 0; j < shared.size; ++j) shared.begin[j] += w.case_sums_[i * parts + part].begin[j];
      HWY_DYNAMIC_DISPATCH(fold_backward_for_target)
      ({.decoder = decoder,
        .state = *c.state,
        .input = c.input,
        .shared = shared,
        .buffers = w.folds_[omp_get_thread_num()],
        .weights = partial(group),
        .context_gradient = c.context_gradient,
        .primitives_gradient = c.primitives_gradient});
    }
  w.layout_.reduce(w.partials_, kGroups, parameter_gradient, w.threads_);
}

JacobianWorkspace::JacobianWorkspace(const FluidSplatSpec& shape, int threads) {
  Carver measure;
  for (int i = 0; i < threads; ++i) BackwardBuffers(shape, measure);
  storage_ = Buffer(measure.used());
  Carver carver(storage_.data());
  for (int i = 0; i < threads; ++i) tiles_.emplace_back(shape, carver);
}

void forward_with_jacobian(const PackedDecoder& decoder, const ForwardCase* cases, float* const* jacobians,
                           Index case_count, const JacobianWorkspace& workspace) {
  assert(decoder.for_gradients());
  Index tiles = 0;
  for (Index i = 0; i < case_count; ++i) tiles += tile_count(cases[i].points);
  const int threads = workspace.threads();
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
  for (Index item = 0; item < tiles; ++item) {
    Index tile = item, i = 0;
    for (; tile >= tile_count(cases[i].points); ++i) tile -= tile_count(cases[i].points);
    HWY_DYNAMIC_DISPATCH(jacobian_for_target)
    (decoder, cases[i], tile, workspace.tile(omp_get_thread_num()), jacobians[i]);
  }
}

}  // namespace fluidsplat::kernels
#endif

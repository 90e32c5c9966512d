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

constexpr Index kTile = kTilePanels * kPanel;

// rows[channel][query] += gradient[query][channels] for the tile's queries; idle lanes keep their zeros.
HWY_INLINE void add_upstream(const float* gradient, Index channels, Index first, Index count, Panels rows) {
  for (Index i = 0; gradient && i < count; ++i)
    for (Index c = 0; c < channels; ++c)
      rows.panel(i / kPanel)[c * kPanel + i % kPanel] += gradient[(first + i) * channels + c];
}

// The same for the gradient of the squared error against c.target.
HWY_INLINE void add_error(const BackwardCase& c, Index channels, Index first, Index count, Panels rows) {
  for (Index i = 0; c.target && i < count; ++i)
    for (Index k = 0; k < channels; ++k) {
      const Index at = (first + i) * channels + k;
      rows.panel(i / kPanel)[k * kPanel + i % kPanel] += 2.0f * c.weight[at] * (c.field[at] - c.target[at]);
    }
}

// Upstream gradients to where each enters the tile.
HWY_INLINE void load_upstream(const FluidSplatSpec& s, const BackwardCase& c, Index first, Index count,
                              const BackwardBuffers& b) {
  for (Index p = 0; p < kTilePanels; ++p) {
    std::fill_n(b.out.panel(p), s.channels * kPanel, 0.0f);
    std::fill_n(b.scaffold.panel(p), s.channels * kPanel, 0.0f);
    std::fill_n(b.log_mass.panel(p), kPanel, 0.0f);
  }
  if (s.has_decoder()) {
    add_upstream(c.field_gradient, s.channels, first, count, b.out);
    add_error(c, s.channels, first, count, b.out);
  }
  if (s.output != Output::kResidual) {
    add_upstream(c.field_gradient, s.channels, first, count, b.scaffold);
    add_error(c, s.channels, first, count, b.scaffold);
  }
  add_upstream(c.primitive_gradient, s.channels, first, count, b.scaffold);
  add_upstream(c.log_mass_gradient, 1, first, count, b.log_mass);
}

HWY_INLINE void store_positions(Index dim, Panels rows, Index count, float* out, Index stride) {
  for (Index i = 0; i < count; ++i)
    for (Index axis = 0; axis < dim; ++axis)
      out[i * stride + axis] = rows.panel(i / kPanel)[axis * kPanel + i % kPanel];
}

void backward_tiles_for_target(const PackedDecoder& decoder, const BackwardCase& c, Index begin, Index end,
                               const BackwardBuffers& b, const GradientLayout& layout, float* weights,
                               const CaseGradients& sums) {
  const FluidSplatSpec& s = decoder.shape();
  for (Index tile = begin; tile < end; ++tile) {
    const Index first = tile * kTile, count = std::min(kTile, c.points.count - first);
    const Index panels = (count + kPanel - 1) / kPanel;
    forward_tile(decoder, *c.state, c.points, tile * kTilePanels, panels, b.forward);
    store_tile(s, b.forward, first, count, {c.field, nullptr, nullptr});
    load_upstream(s, c, first, count, b);
    backward_tile(decoder, *c.state, b, panels, {&layout, weights, &sums, c.positions_gradient != nullptr});
    if (c.positions_gradient) store_positions(s.dim, b.positions, count, c.positions_gradient + first * s.dim, s.dim);
  }
}

void fold_gradient_for_target(const PackedDecoder& decoder, const BackwardCase& c, const CaseGradients& sums,
                              const FoldBuffers& b, const GradientLayout& layout, float* weights) {
  fold_gradient(decoder, *c.state, c.input, sums, b, layout, weights, c.context_gradient, c.primitives_gradient);
}

// One reverse sweep per channel, with that channel's field as the loss; lanes do not mix, so each query gets its own
// row.
void jacobian_for_target(const PackedDecoder& decoder, const ForwardCase& c, Index tile, const BackwardBuffers& b,
                         float* jacobian) {
  const FluidSplatSpec& s = decoder.shape();
  const Index first = tile * kTile, count = std::min(kTile, c.points.count - first);
  const Index panels = (count + kPanel - 1) / kPanel;
  forward_tile(decoder, *c.state, c.points, tile * kTilePanels, panels, b.forward);
  store_tile(s, b.forward, first, count, c.out);
  for (Index channel = 0; channel < s.channels; ++channel) {
    load_upstream(s, {}, first, count, b);
    for (Index p = 0; p < panels; ++p) {
      std::fill_n(b.out.panel(p) + channel * kPanel, kPanel, 1.0f);
      if (s.output != Output::kResidual) std::fill_n(b.scaffold.panel(p) + channel * kPanel, kPanel, 1.0f);
    }
    backward_tile(decoder, *c.state, b, panels, {nullptr, nullptr, nullptr, true});
    const Index stride = s.channels * s.dim;
    store_positions(s.dim, b.positions, count, jacobian + first * stride + channel * s.dim, stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(backward_tiles_for_target);
HWY_EXPORT(fold_gradient_for_target);
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
  const auto partial = [&](Index group) { return w.partials_ + group * w.layout_.size(); };
#pragma omp parallel for schedule(dynamic) num_threads(w.threads_) if (w.threads_ > 1)
  for (Index group = 0; group < kGroups; ++group) {
    std::fill_n(partial(group), w.layout_.size(), 0.0f);
    for (Index unit = run_begin(units, kGroups, group); unit < run_begin(units, kGroups, group + 1); ++unit) {
      const BackwardCase& c = cases[unit / parts];
      const Index tiles = tile_count(c.points), part = unit % parts;
      const CaseGradients& sums = w.case_sums_[unit];
      std::fill_n(sums.begin, sums.size, 0.0f);
      HWY_DYNAMIC_DISPATCH(backward_tiles_for_target)
      (decoder, c, run_begin(tiles, parts, part), run_begin(tiles, parts, part + 1), w.tiles_[omp_get_thread_num()],
       w.layout_, partial(group), sums);
    }
  }
#pragma omp parallel for schedule(dynamic) num_threads(w.threads_) if (w.threads_ > 1)
  for (Index group = 0; group < kGroups; ++group)
    for (Index i = run_begin(case_count, kGroups, group); i < run_begin(case_count, kGroups, group + 1); ++i) {
      const CaseGradients& sums = w.case_sums_[i * parts];
      for (Index part = 1; part < parts; ++part)
        for (Index j = 0; j < sums.size; ++j) sums.begin[j] += w.case_sums_[i * parts + part].begin[j];
      HWY_DYNAMIC_DISPATCH(fold_gradient_for_target)
      (decoder, cases[i], sums, w.folds_[omp_get_thread_num()], w.layout_, partial(group));
    }
  w.layout_.reduce(w.partials_, kGroups, w.layout_.size(), parameter_gradient, w.threads_);
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

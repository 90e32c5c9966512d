// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <mutex>

#include "base/error.h"
#include "kernels/backward.h"
#include "kernels/primitive_maps.h"
#include "runtime/derivatives.h"
#include "runtime/model.h"

namespace fluidsplat::runtime {
namespace {

// Points that are normalised, reconstructed and brought to physical units at a time.
constexpr Index kBlockTiles = 64;

// The same outputs for a later frame.
Outputs shifted(const Outputs& o, Index frame, Index count, Index channels, Index dim) {
  const auto move = [&](float* p, Index size) { return p ? p + frame * count * size : nullptr; };
  return {.field = move(o.field, channels),
          .primitive = move(o.primitive, channels),
          .mass = move(o.mass, 1),
          .gradient = move(o.gradient, channels * dim),
          .vorticity = move(o.vorticity, dim == 2 ? 1 : 3),
          .divergence = move(o.divergence, 1)};
}

}  // namespace

struct Plan::State {
  State(std::shared_ptr<const Reconstructor::Model> m, const PlanOptions& options);
  void normalize_points(const float* points, const float* features, Index count, float* positions,
                        float* normalized) const;
  void check_outputs(const Outputs& out) const;
  void check_features(const float* features, Index count) const;
  void observe(const float* readings, const float* descriptors);
  void evaluate(const Outputs& out);
  void evaluate_block(const kernels::QueryPoints& points, const float* base, const float* base_slopes, Index first,
                      const Outputs& out);
  void add_base(const float* base, Index count, float* values) const;
  void add_base_slopes(const float* slopes, Index count);

  std::shared_ptr<const Reconstructor::Model> model;
  const ModelDescription& d;
  SensorLayout layout;
  EncoderPlan encoder;
  kernels::CaseState case_state;
  kernels::ForwardWorkspace forward;
  std::optional<kernels::JacobianWorkspace> backward;
  std::vector<Index> velocity;  // empty: the model has none
  Index count, block;
  kernels::Buffer positions, features, cache;                 // of the planned points, or empty
  kernels::Buffer block_positions, block_features, jacobian;  // of one block
  // The model's base field, when it has one: [points][C], and [points][C][d] for derivatives.
  kernels::Buffer base, base_slopes, block_base, block_base_slopes;
  std::vector<float> context, raw, primitives, descriptors;
  bool observed = false;
  std::mutex mutex;
};

Plan::State::State(std::shared_ptr<const Reconstructor::Model> m, const PlanOptions& options)
    : model(std::move(m)),
      d(model->description),
      layout(options.sensors ? *options.sensors : d.sensors),
      encoder(d, model->encoder, layout, options.geometry),
      case_state(d.spec, options.gradients),
      forward(d.spec, std::max(1, options.threads)),
      velocity(model::find_velocity(d.schema)),
      count(options.points ? options.count : 0),
      block(kBlockTiles * kernels::tile_width()),
      context(d.spec.context),
      raw(d.spec.primitives * d.spec.head_columns()),
      primitives(d.spec.primitives * d.spec.primitive_columns()),
      descriptors(d.spec.descriptors) {
  if (options.threads < 1) fail("a plan needs at least one thread, {} were asked for", options.threads);
  if (d.spec.geometry && options.geometry.count == 0)
    fail("the model looks at the wall's shape; give wall points with the plan");
  if (options.count > 0 && !options.points)
    fail("a plan for {} points was asked for, but no points given", options.count);
  check_features(options.features, count);
  block_positions = kernels::Buffer(block * d.spec.dim);
  block_features = kernels::Buffer(block * d.spec.features);
  const Index c = d.spec.channels, slopes = options.gradients ? c * d.spec.dim : 0;
  if (options.gradients) {
    backward.emplace(d.spec, options.threads);
    jacobian = kernels::Buffer(block * slopes);
  }
  if (model->base) {
    block_base = kernels::Buffer(block * c);
    block_base_slopes = kernels::Buffer(block * slopes);
  }
  positions = kernels::Buffer(count * d.spec.dim);
  features = kernels::Buffer(count * d.spec.features);
  if (count == 0) return;
  normalize_points(options.points, options.features, count, positions.data(), features.data());
  if (model->base) {
    base = kernels::Buffer(count * c);
    base_slopes = kernels::Buffer(count * slopes);
    model->base->evaluate(options.points, count, base.data(), slopes > 0 ? base_slopes.data() : nullptr);
  }
  const Index cache_size = kernels::query_cache_size(d.spec, count);
  if (cache_size * Index{sizeof(float)} > options.cache_bytes) return;
  cache = kernels::Buffer(cache_size);
  kernels::cache_query_inputs(d.spec, {.positions = positions.data(), .features = features.data(), .count = count},
                              cache.data());
}

void Plan::State::check_features(const float* given, Index points) const {
  if (points > 0 && d.spec.features > 0 && !given)
    fail("the model needs {} features at every point (the first is \"{}\")", d.spec.features,
         d.schema.features[0].name);
}

void Plan::State::normalize_points(const float* points, const float* given, Index n, float* unit,
                                   float* normalized) const {
  const Index dim = d.spec.dim, f = d.spec.features;
  for (Index i = 0; i < n * dim; ++i) unit[i] = d.normalization.position(i % dim, points[i]);
  for (Index i = 0; i < n * f; ++i) normalized[i] = d.normalization.features.normalize(i % f, given[i]);
}

void Plan::State::check_outputs(const Outputs& out) const {
  if (!observed) fail("nothing has been observed yet; give the plan readings first");
  if (out.differentiates() && !backward) fail("derivatives were not planned for; make the plan with gradients = true");
  if ((out.vorticity || out.divergence) && velocity.empty())
    fail("vorticity and divergence need velocity channels, named u, v{} or alike; the model has none",
         d.spec.dim == 3 ? ", w" : "");
}

void Plan::State::observe(const float* readings, const float* given) {
  if (!readings && layout.size() > 0) fail("no readings were given");
  if (!given && d.spec.descriptors > 0)
    fail("the model needs {} case descriptors (the first is \"{}\")", d.spec.descriptors, d.schema.descriptors[0].name);
  for (Index i = 0; i < std::ssize(descriptors); ++i)
    descriptors[i] = d.normalization.descriptors.normalize(i, given[i]);
  encoder.encode(readings, descriptors.data(), context.data());
  kernels::matrix_vector({.weight = model->head_weight.data(),
                          .bias = model->head_bias.data(),
                          .rows = std::ssize(raw),
                          .cols = std::ssize(context)},
                         context.data(), raw.data());
  kernels::head_to_primitives(d.spec, d.spec.scale_min, d.spec.scale_max, raw.data(), primitives.data());
  case_state.fold(model->decoder,
                  {.context = context.data(), .primitives = primitives.data(), .descriptors = descriptors.data()});
  observed = true;
}

void Plan::State::add_base(const float* values, Index n, float* field) const {
  for (Index i = 0; i < n * d.spec.channels; ++i) field[i] += values[i];
}

// To the Jacobian of a block, which is in normalised units.
void Plan::State::add_base_slopes(const float* slopes, Index n) {
  const Index c = d.spec.channels, dim = d.spec.dim;
  const auto& box = d.normalization.domain;
  for (Index i = 0; i < n * c * dim; ++i) {
    const Index channel = i / dim % c, axis = i % dim;
    jacobian.data()[i] += float(slopes[i] * (box.high[axis] - box.low[axis]) / d.normalization.channels.scale[channel]);
  }
}

void Plan::State::evaluate_block(const kernels::QueryPoints& points, const float* base_here, const float* slopes_here,
                                 Index first, const Outputs& out) {
  const Index c = d.spec.channels, n = points.count;
  const auto at = [&](float* p, Index size) { return p ? p + first * size : nullptr; };
  const kernels::ForwardCase item{
      .state = &case_state,
      .points = points,
      .out = {.field = at(out.field, c), .primitive = at(out.primitive, c), .log_mass = at(out.mass, 1)}};
  if (out.differentiates()) {
    float* jacobians[] = {jacobian.data()};
    kernels::forward_with_jacobian(model->decoder, &item, jacobians, 1, *backward);
    if (slopes_here) add_base_slopes(slopes_here, n);
    store_derivatives(d, velocity, jacobian.data(), first, n, out);
  } else {
    kernels::forward(model->decoder, &item, 1, forward);
  }
  for (float* values : {item.out.field, item.out.primitive}) {
    if (!values) continue;
    for (Index i = 0; i < n * c; ++i) values[i] = d.normalization.channels.restore(i % c, values[i]);
    if (base_here) add_base(base_here, n, values);
  }
  for (Index i = 0; item.out.log_mass && i < n; ++i) item.out.log_mass[i] = std::exp(item.out.log_mass[i]);
}

void Plan::State::evaluate(const Outputs& out) {
  check_outputs(out);
  const Index row = d.spec.query_inputs();
  for (Index first = 0; first < count; first += block) {
    kernels::QueryPoints points{.positions = positions.data() + first * d.spec.dim,
                                .features = features.data() + first * d.spec.features,
                                .count = std::min(block, count - first)};
    // Blocks are whole panels, so a block's cache is contiguous.
    if (cache.size() > 0) points.cached = cache.data() + first * row;
    evaluate_block(points, model->base ? base.data() + first * d.spec.channels : nullptr,
                   base_slopes.size() > 0 ? base_slopes.data() + first * d.spec.channels * d.spec.dim : nullptr, first,
                   out);
  }
}

Plan::Plan(std::shared_ptr<const Reconstructor::Model> model, const PlanOptions& options)
    : state_(std::make_unique<State>(std::move(model), options)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

void Plan::run(const float* readings, const float* descriptors, const Outputs& out) {
  run_batch(readings, descriptors, 1, out);
}

void Plan::run_batch(const float* readings, const float* descriptors, Index frames, const Outputs& out) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  const Index c = s.d.spec.channels;
  for (Index frame = 0; frame < frames; ++frame) {
    s.observe(readings ? readings + frame * s.layout.size() * c : nullptr,
              descriptors ? descriptors + frame * s.d.spec.descriptors : nullptr);
    s.evaluate(shifted(out, frame, s.count, c, s.d.spec.dim));
  }
}

void Plan::observe(const float* readings, const float* descriptors) {
  const std::lock_guard lock(state_->mutex);
  state_->observe(readings, descriptors);
}

void Plan::evaluate(const Outputs& out) {
  const std::lock_guard lock(state_->mutex);
  state_->evaluate(out);
}

void Plan::evaluate_at(const float* points, const float* features, Index count, const Outputs& out) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  s.check_outputs(out);
  s.check_features(features, count);
  const Index dim = s.d.spec.dim, f = s.d.spec.features;
  for (Index first = 0; first < count; first += s.block) {
    const Index n = std::min(s.block, count - first);
    s.normalize_points(points + first * dim, f > 0 ? features + first * f : nullptr, n, s.block_positions.data(),
                       s.block_features.data());
    const kernels::QueryPoints block{
        .positions = s.block_positions.data(), .features = s.block_features.data(), .count = n};
    if (!s.model->base) {
      s.evaluate_block(block, nullptr, nullptr, first, out);
      continue;
    }
    float* slopes = out.differentiates() ? s.block_base_slopes.data() : nullptr;
    s.model->base->evaluate(points + first * dim, n, s.block_base.data(), slopes);
    s.evaluate_block(block, s.block_base.data(), slopes, first, out);
  }
}

void Plan::copy_primitives(float* primitives) {
  const std::lock_guard lock(state_->mutex);
  if (!state_->observed) fail("nothing has been observed yet; give the plan readings first");
  std::copy(state_->primitives.begin(), state_->primitives.end(), primitives);
}

void Plan::copy_context(float* context) {
  const std::lock_guard lock(state_->mutex);
  if (!state_->observed) fail("nothing has been observed yet; give the plan readings first");
  std::copy(state_->context.begin(), state_->context.end(), context);
}

Index Plan::count() const {
  return state_->count;
}

Index Plan::sensors() const {
  return state_->layout.size();
}

Index Plan::working_bytes() const {
  const State& s = *state_;
  const Index floats = s.block_positions.size() + s.block_features.size() + s.jacobian.size() + s.block_base.size() +
                       s.block_base_slopes.size();
  return floats * sizeof(float) + s.forward.bytes();
}

}  // namespace fluidsplat::runtime

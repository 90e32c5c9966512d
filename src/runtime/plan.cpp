// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <mutex>

#include "base/error.h"
#include "kernels/backward.h"
#include "kernels/primitive_maps.h"
#include "runtime/correction.h"
#include "runtime/derivatives.h"
#include "runtime/model.h"

namespace fluidsplat::runtime {
namespace {

// Points that are normalised, reconstructed and brought to physical units at a time.
constexpr Index kBlockTiles = 64;

// The same outputs for a later frame.
Outputs shifted(const Outputs& o, Index frame, Index count, Index channels, Index dim, Index hidden) {
  const auto move = [&](float* p, Index size) { return p ? p + frame * count * size : nullptr; };
  return {.field = move(o.field, channels),
          .primitive = move(o.primitive, channels),
          .mass = move(o.mass, 1),
          .gradient = move(o.gradient, channels * dim),
          .vorticity = move(o.vorticity, dim == 2 ? 1 : 3),
          .divergence = move(o.divergence, 1),
          .lower = move(o.lower, channels),
          .upper = move(o.upper, channels),
          .scale = move(o.scale, channels),
          .hidden = move(o.hidden, hidden),
          .doubt = move(o.doubt, 1)};
}

}  // namespace

struct Plan::State {
  State(std::shared_ptr<const Reconstructor::Model> m, const PlanOptions& options);
  void normalize_points(const float* points, const float* features, Index count, float* positions,
                        float* normalized) const;
  const float* physical_places(const kernels::QueryPoints& points);
  void check_outputs(const Outputs& out) const;
  void check_features(const float* features, Index count) const;
  void observe(const float* readings, const float* descriptors);
  void evaluate(const Outputs& out);
  // Where points are in physical space and what the base field is there; rows of a planned point's modes, if kept.
  struct Ground {
    const float *places, *base, *slopes, *modes;
  };
  Ground with_prior(const Ground& ground, Index n, bool slopes);
  Ground ground_at(const float* places, Index n, bool slopes);
  void plan_correction(const PlanOptions& options);
  void answer_at_sensors();
  void plan_band(const PlanOptions& options);
  void plan_layer(const PlanOptions& options);
  // `band_ground` is not looked at when no band is asked for.
  void evaluate_block(const kernels::QueryPoints& points, const Ground& ground,
                      const uncertainty::Band::Ground& band_ground, Index first, const Outputs& out);
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
  // Its prior, when it has one: the modes' values [points][J * C], and [points][J * C][d] for derivatives.
  std::optional<classical::PriorReader> prior;
  const Eigen::VectorXd* coefficients = nullptr;
  kernels::Buffer modes, block_places, block_modes, block_mode_slopes;
  // Its correction, when it has one, and the model's own answer at the sensors, which that begins with.
  std::optional<Correction> correction;
  bool corrects = false;
  kernels::Buffer sensor_places, sensor_positions, sensor_features, sensor_answers, block_field;
  // The band, when one was planned for, the local scale [points][C] and the places' classes [points].
  std::optional<uncertainty::Band> band;
  kernels::Buffer local, block_local;
  std::vector<uncertainty::PlaceClasses::Class> classes, block_classes;
  std::optional<kernels::LayerDirections>
      directions;  // of the layer whose doubt is asked for, or the band is made with
  kernels::Buffer block_doubt;
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
  const Index columns = model->prior.pod ? model->prior.pod->modes() * c : 0;
  if (model->prior.pod) {
    prior.emplace(model->prior.pod,
                  classical::PriorInputs(model->prior.pod->places(), d.sensors, layout, d.normalization));
    block_places = kernels::Buffer(block * d.spec.dim);
    block_modes = kernels::Buffer(block * columns);
    block_mode_slopes = kernels::Buffer(options.gradients ? block * columns * d.spec.dim : 0);
  }
  if (model->correction.is_on()) plan_correction(options);
  if (options.band) plan_band(options);
  plan_layer(options);
  positions = kernels::Buffer(count * d.spec.dim);
  features = kernels::Buffer(count * d.spec.features);
  if (count == 0) return;
  normalize_points(options.points, options.features, count, positions.data(), features.data());
  if (model->base) {
    base = kernels::Buffer(count * c);
    base_slopes = kernels::Buffer(count * slopes);
    model->base->evaluate(options.points, count, base.data(), slopes > 0 ? base_slopes.data() : nullptr);
  }
  Index room = options.cache_bytes / Index{sizeof(float)};
  if (prior && count * columns <= room) {
    modes = kernels::Buffer(count * columns);
    model->prior.pod->fields().evaluate(options.points, count, modes.data());
    room -= count * columns;
  }
  const Index cache_size = kernels::query_cache_size(d.spec, count);
  if (cache_size > room) return;
  cache = kernels::Buffer(cache_size);
  kernels::cache_query_inputs(d.spec, {.positions = positions.data(), .features = features.data(), .count = count},
                              cache.data());
}

// Features at the sensors are given, or those of the nearest planned points.
void Plan::State::plan_correction(const PlanOptions& options) {
  const Index n = layout.size(), dim = d.spec.dim, f = d.spec.features, c = d.spec.channels;
  correction.emplace(model->correction, d, layout, block, options.gradients, options.threads);
  sensor_places = kernels::Buffer(n * dim);
  sensor_positions = kernels::Buffer(n * dim);
  sensor_features = kernels::Buffer(n * f);
  sensor_answers = kernels::Buffer(n * c);
  block_field = kernels::Buffer(options.gradients ? block * c : 0);
  std::copy_n(layout.positions.data(), n * dim, sensor_places.data());
  std::vector<float> given(n * f);
  if (f > 0 && options.sensor_features) {
    std::copy_n(options.sensor_features, n * f, given.data());
  } else if (f > 0) {
    if (count == 0)
      fail("the model corrects itself at its sensors and needs {} features there; give them with the plan, or points",
           f);
    using Points = Eigen::Map<const model::Matrix>;
    const Points points(options.points, count, dim), known(options.features, count, f);
    for (Index s = 0; s < n; ++s) {
      Index nearest = 0;
      (points.rowwise() - layout.positions.row(s)).rowwise().squaredNorm().minCoeff(&nearest);
      std::copy_n(known.row(nearest).data(), f, given.data() + s * f);
    }
  }
  normalize_points(sensor_places.data(), given.data(), n, sensor_positions.data(), sensor_features.data());
}

void Plan::State::plan_band(const PlanOptions& options) {
  if (!model->calibration)
    fail("the model has no calibration, so how wrong it may be is not known; \"fluidsplat calibrate\" adds one");
  if (layout.size() != d.sensors.size())
    fail("the model was calibrated with its own {} sensors, the plan has {} others", d.sensors.size(), layout.size());
  band.emplace(model->calibration, uncertainty::InstantReadings(d.sensors, d.normalization), *options.band);
  block_local = kernels::Buffer(block * d.spec.channels);
  local = kernels::Buffer(count * d.spec.channels);
  block_classes.resize(block);
  classes.resize(count);
  if (count == 0) return;
  model->calibration->scale.evaluate(options.points, count, local.data());
  model->calibration->classes.evaluate(options.points, options.features, count, classes.data());
}

void Plan::State::plan_layer(const PlanOptions& options) {
  // One layer at a time: a band's own comes first.
  const auto* layer = band && model->calibration->layer.is_on() ? &model->calibration->layer : options.layer;
  if (!layer) return;
  if (!d.spec.has_decoder() || layer->width() != d.spec.width)
    fail("the doubt of a last hidden layer of {} was asked for, which the model does not have", layer->width());
  directions.emplace(layer->directions.data(), layer->directions.rows(), layer->width());
  block_doubt = kernels::Buffer(block);
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

const float* Plan::State::physical_places(const kernels::QueryPoints& points) {
  const auto& box = d.normalization.domain;
  for (Index i = 0; i < points.count * d.spec.dim; ++i) {
    const Index axis = i % d.spec.dim;
    block_places.data()[i] = float(box.low[axis] + double(points.positions[i]) * (box.high[axis] - box.low[axis]));
  }
  return block_places.data();
}

void Plan::State::check_outputs(const Outputs& out) const {
  if (!observed) fail("nothing has been observed yet; give the plan readings first");
  if (out.differentiates() && !backward) fail("derivatives were not planned for; make the plan with gradients = true");
  if (out.hidden && !d.spec.has_decoder()) fail("the model has no decoder, and so no hidden layer to ask for");
  if (out.doubt && !directions) fail("the doubt of the last layer was not planned for; make the plan with a layer");
  if (out.bounds() && !band) fail("bands were not planned for; make the plan with a level");
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
  if (prior) coefficients = &prior->read(readings);
  if (band) band->observe(readings);
  kernels::matrix_vector({.weight = model->head_weight.data(),
                          .bias = model->head_bias.data(),
                          .rows = std::ssize(raw),
                          .cols = std::ssize(context)},
                         context.data(), raw.data());
  kernels::head_to_primitives(d.spec, d.spec.scale_min, d.spec.scale_max, raw.data(), primitives.data());
  case_state.fold(model->decoder,
                  {.context = context.data(), .primitives = primitives.data(), .descriptors = descriptors.data()});
  corrects = false;
  if (correction) {
    answer_at_sensors();
    correction->observe(sensor_positions.data(), sensor_answers.data(), readings);
    corrects = true;
  }
  observed = true;
}

void Plan::State::answer_at_sensors() {
  const Index n = layout.size(), dim = d.spec.dim;
  for (Index first = 0; first < n; first += block) {
    const Index size = std::min(block, n - first);
    const kernels::QueryPoints points{.positions = sensor_positions.data() + first * dim,
                                      .features = sensor_features.data() + first * d.spec.features,
                                      .count = size};
    Outputs answers;
    answers.field = sensor_answers.data();
    evaluate_block(points, ground_at(sensor_places.data() + first * dim, size, false), {}, first, answers);
  }
}

// Of a block of points that were not planned.
Plan::State::Ground Plan::State::ground_at(const float* places, Index n, bool slopes) {
  if (!model->base) return {};
  float* steepness = slopes ? block_base_slopes.data() : nullptr;
  model->base->evaluate(places, n, block_base.data(), steepness);
  return {places, block_base.data(), steepness, nullptr};
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

// The base field and the prior's modes together, in the block's own memory.
Plan::State::Ground Plan::State::with_prior(const Ground& ground, Index n, bool slopes) {
  const Index c = d.spec.channels, dim = d.spec.dim;
  const float* rows = ground.modes;
  if (!rows || slopes) {
    model->prior.pod->fields().evaluate(ground.places, n, block_modes.data(),
                                        slopes ? block_mode_slopes.data() : nullptr);
    rows = block_modes.data();
  }
  if (ground.base != block_base.data()) std::copy_n(ground.base, n * c, block_base.data());
  classical::PodPrior::add(rows, n, c, *coefficients, block_base.data());
  if (slopes) {
    if (ground.slopes != block_base_slopes.data()) std::copy_n(ground.slopes, n * c * dim, block_base_slopes.data());
    classical::PodPrior::add(block_mode_slopes.data(), n, c * dim, *coefficients, block_base_slopes.data());
  }
  return {ground.places, block_base.data(), slopes ? block_base_slopes.data() : nullptr, rows};
}

void Plan::State::evaluate_block(const kernels::QueryPoints& points, const Ground& given,
                                 const uncertainty::Band::Ground& band_ground, Index first, const Outputs& out) {
  const Ground ground = prior ? with_prior(given, points.count, out.differentiates()) : given;
  const auto scale = float(model->prior.network_scale);
  const Index c = d.spec.channels, n = points.count;
  const auto at = [&](float* p, Index size) { return p ? p + first * size : nullptr; };
  // A band without the field is made where the field would be; derivatives of the correction need the field, wanted or
  // not.
  float* said = out.field ? out.field : out.lower ? out.lower : out.upper ? out.upper : out.scale;
  float* field = said ? at(said, c) : corrects && out.differentiates() ? block_field.data() : nullptr;
  // The band's is not wanted by anyone else.
  const bool widens = out.bounds() && model->calibration->layer.is_on();
  float* doubt = out.doubt ? out.doubt + first : widens ? block_doubt.data() : nullptr;
  const kernels::ForwardCase item{.state = &case_state,
                                  .points = points,
                                  .out = {.field = field,
                                          .primitive = at(out.primitive, c),
                                          .log_mass = at(out.mass, 1),
                                          .hidden = at(out.hidden, d.spec.width),
                                          .length = doubt,
                                          .directions = directions ? &*directions : nullptr}};
  if (out.differentiates()) {
    float* jacobians[] = {jacobian.data()};
    kernels::forward_with_jacobian(model->decoder, &item, jacobians, 1, *backward);
    if (prior)
      for (Index i = 0; i < n * c * d.spec.dim; ++i) jacobian.data()[i] *= scale;
    if (ground.slopes) add_base_slopes(ground.slopes, n);
  } else {
    kernels::forward(model->decoder, &item, 1, forward);
  }
  for (float* values : {item.out.field, item.out.primitive}) {
    if (!values) continue;
    for (Index i = 0; i < n * c; ++i) values[i] = d.normalization.channels.restore(i % c, scale * values[i]);
    if (ground.base) add_base(ground.base, n, values);
  }
  if (corrects && field)
    correction->apply(points.positions, n, field, out.differentiates() ? jacobian.data() : nullptr);
  if (out.differentiates()) store_derivatives(d, velocity, jacobian.data(), first, n, out);
  if (out.bounds())
    band->edges(field, {band_ground.local, band_ground.classes, widens ? doubt : nullptr}, n, at(out.lower, c),
                at(out.upper, c), at(out.scale, c));
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
    Ground ground{};
    if (model->base) ground.base = base.data() + first * d.spec.channels;
    if (base_slopes.size() > 0) ground.slopes = base_slopes.data() + first * d.spec.channels * d.spec.dim;
    if (modes.size() > 0) ground.modes = modes.data() + first * model->prior.pod->modes() * d.spec.channels;
    if (prior && (modes.size() == 0 || out.differentiates())) ground.places = physical_places(points);
    uncertainty::Band::Ground band_ground{};
    if (band) band_ground = {.local = local.data() + first * d.spec.channels, .classes = classes.data() + first};
    evaluate_block(points, ground, band_ground, first, out);
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
    s.evaluate(shifted(out, frame, s.count, c, s.d.spec.dim, s.d.spec.width));
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
    if (out.bounds()) {
      s.model->calibration->scale.evaluate(points + first * dim, n, s.block_local.data());
      s.model->calibration->classes.evaluate(points + first * dim, f > 0 ? features + first * f : nullptr, n,
                                             s.block_classes.data());
    }
    s.evaluate_block(block, s.ground_at(points + first * dim, n, out.differentiates()),
                     {.local = s.block_local.data(), .classes = s.block_classes.data()}, first, out);
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

const uncertainty::Band* Plan::band() const {
  return state_->band ? &*state_->band : nullptr;
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
                       s.block_base_slopes.size() + s.block_places.size() + s.block_modes.size() +
                       s.block_mode_slopes.size() + s.block_local.size() + s.block_field.size() +
                       s.sensor_places.size() + s.sensor_positions.size() + s.sensor_features.size() +
                       s.sensor_answers.size() + s.block_doubt.size();
  return floats * sizeof(float) + s.forward.bytes() + (s.correction ? s.correction->bytes() : 0) +
         (s.directions ? s.directions->bytes() : 0);
}

}  // namespace fluidsplat::runtime

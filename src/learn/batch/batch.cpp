// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/batch.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "field/fields_at.h"
#include "learn/batch/make_observation.h"

namespace fluidsplat::learn {
namespace {

// Separate streams of randomness for separate purposes.
enum Stream : std::uint64_t { kOrder = 1, kQueries = 2 };

constexpr Index kStepsAhead = 4;

// Without libtorch's threads, of which every thread that calls them gets a set.
torch::Tensor zeros(torch::IntArrayRef shape, torch::ScalarType type = torch::kFloat32) {
  auto out = torch::empty(shape, type);
  std::memset(out.data_ptr(), 0, out.nbytes());
  return out;
}

}  // namespace

// How a case's queries are laid out: points of the field, its sensors, points of the wall.
struct BatchMaker::Rows {
  Index field, sensors, surface;
  Index first_sensor() const { return field; }
  Index first_surface() const { return field + sensors; }
  Index all() const { return field + sensors + surface; }
};

// One case's part of a batch's tensors.
struct BatchMaker::Part {
  std::int64_t* point;  // [rows]
  Eigen::Map<field::Matrix> position, feature, target, weight;
};

BatchMaker::BatchMaker(const TrainConfig& config, const field::Dataset& dataset, const std::vector<Index>& train,
                       const model::Normalization& normalization, const field::SensorPlacement& sensors,
                       bool with_geometry, torch::Device device, field::Matrix base, const TrainingPrior* prior,
                       Group& group)
    : config_(config),
      dataset_(dataset),
      train_(train),
      normalization_(normalization),
      sensors_(sensors),
      with_geometry_(with_geometry),
      base_(std::move(base)),
      prior_(prior),
      device_(device),
      group_(group),
      share_(share_of(config.batch, group)),
      sampling_(config.sampling, dataset, train, base_),
      case_weights_(config.loss == LossKind::kRelative ? CaseWeights::relative(dataset, train) : CaseWeights()),
      budget_(config.budget_bytes() > 0 ? std::optional<MemoryBudget>(config.budget_bytes()) : std::nullopt),
      cache_(dataset, budget_ ? budget_->room(0) : std::size_t(config.data.cache_gigabytes * 1e9),
             [this](Index number, const field::Mesh& mesh) { return sampling_.on_mesh(number, &mesh); }),
      drafts_([this](const Turn& turn) { return draft(turn); },
              [this](const Turn& turn) {
                const bool last = turn.step + 1 >= config_.schedule.steps;
                return last ? std::nullopt : std::optional<Turn>({turn.step + 1, turn.attempt});
              },
              kStepsAhead) {
  if (config.batch < group.size())
    fail("config: train.batch = {} is too small to give each of {} ranks a case; use fewer ranks or a larger batch",
         config.batch, group.size());
  if (budget_ && budget_->room(0) == 0)
    fail(
        "config: train.memory_budget = \"{}\" is for the whole process, which takes {} before it holds any data; use "
        "more",
        config.memory_budget, bytes_text(resident_bytes()));
}

std::vector<Index> BatchMaker::cases_of(Index step, Index attempt) const {
  // Walks through shuffled passes over the training cases, so that each is seen equally often.
  const auto n = std::ssize(train_), batch = config_.batch;
  std::vector<Index> out, order;
  Index shuffled_pass = -1;
  for (Index i = share_.begin; i < share_.end; ++i) {
    const Index position = step * batch + i, pass = position / n;
    if (pass != shuffled_pass) {
      order = train_;
      Random(config_.seed, kOrder + 16 * static_cast<std::uint64_t>(attempt), pass).shuffle(order);
      shuffled_pass = pass;
    }
    out.push_back(order[position % n]);
  }
  return out;
}

void BatchMaker::silence_some(field::SensorReadings& readings, Random& random) const {
  const auto n = readings.values.rows();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  if (config_.sensors_max > 0) {
    const auto low = std::min(config_.sensors_min, n), high = std::min(config_.sensors_max, n);
    const auto keep = low + Index(random.below(high - low + 1));
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    for (Index i = keep; i < n; ++i) readings.values.row(order[i]).setConstant(nan);
  }
  // Half of the cases stay whole, so that what all sensors together say is not unlearnt.
  if (config_.sensor_dropout > 0 && random.uniform() < 0.5) {
    const auto spared = Index(random.below(n));
    for (Index i = 0; i < n; ++i)
      if (random.uniform() < 2 * config_.sensor_dropout && i != spared) readings.values.row(i).setConstant(nan);
  }
}

void BatchMaker::disturb(field::SensorReadings& readings, Random& random) const {
  silence_some(readings, random);
  if (config_.sensor_noise > 0)
    for (Index i = 0; i < readings.values.rows(); ++i)
      for (Index c = 0; c < readings.values.cols(); ++c)
        readings.values(i, c) += float(config_.sensor_noise * random.normal()) * normalization_.channels.scale[c];
}

void BatchMaker::draw_field_points(const PointSampler& sampler, const Rows& rows, Random& random, Part& part) const {
  const auto values = float(config_.batch * rows.field * part.target.cols());
  const auto drawn = draw_points(sampler, rows.field, config_.sampling.chunks, random);
  std::copy(drawn.begin(), drawn.end(), part.point);
  for (Index i = 0; i < rows.field; ++i) part.weight.row(i).setConstant(sampler.weight(part.point[i]) / values);
}

void BatchMaker::draw_wall_points(const field::SurfaceView& wall, const Rows& rows, Random& random, Part& part) const {
  const auto values = float(config_.batch * rows.surface * part.target.cols());
  for (Index i = 0; i < rows.surface; ++i)
    part.point[rows.first_surface() + i] = wall.place(Index(random.below(wall.size())));
  part.weight.bottomRows(rows.surface).setConstant(float(config_.lambda_surface) / values);
}

// A sensor's target is what it says, where it says something; it is weighed when all readings are counted.
Index BatchMaker::aim_at_readings(const field::Matrix& readings, const Rows& rows, Part& part) {
  Index present = 0;
  for (Index i = 0; i < readings.rows(); ++i)
    for (Index k = 0; k < readings.cols(); ++k)
      if (!std::isnan(readings(i, k))) {
        part.target(rows.first_sensor() + i, k) = readings(i, k);
        part.weight(rows.first_sensor() + i, k) = 1;
        ++present;
      }
  return present;
}

void BatchMaker::subtract_prior(Index case_index, const field::Matrix& readings, Part& part) const {
  const Eigen::VectorXd against = -prior_->coefficients(case_index, readings);
  const auto& modes = prior_->prior.pod->fields().values();
  for (Index i = 0; i < part.target.rows(); ++i)
    classical::PodPrior::add(modes.row(part.point[i]).data(), 1, part.target.cols(), against,
                             part.target.row(i).data());
}

void BatchMaker::normalize(Part& part) const {
  for (Index i = 0; base_.rows() > 0 && i < part.target.rows(); ++i) part.target.row(i) -= base_.row(part.point[i]);
  part.position = normalization_.positions(part.position);
  normalization_.channels.normalize(part.target);
  if (prior_) part.target /= float(prior_->prior.network_scale);
  if (part.feature.cols() > 0) normalization_.features.normalize(part.feature);
}

BatchMaker::Rows BatchMaker::rows() const {
  return {config_.sampling.queries, sensors_.largest(),
          config_.lambda_surface > 0 ? config_.sampling.surface_queries : 0};
}

// Whether a case on it asks for more than some of its points.
bool BatchMaker::needs_mesh(Index number) const {
  const auto& redraw = sensors_.layout().redraw;
  const bool on_wall = config_.lambda_surface > 0 && config_.sampling.surface_queries > 0;
  return with_geometry_ || on_wall || sampling_.needs_mesh(number) || (redraw && redraw->on_wall);
}

void BatchMaker::draft_case(Index index, Random& random, const Rows& rows, Part& part, Draft& out) {
  const auto number = dataset_.mesh_of(index);
  const auto held = cache_.get(index);
  const auto mesh = held.mesh || !needs_mesh(number) ? held.mesh : dataset_.mesh(number);
  const auto sampler = held.companion ? held.companion : sampling_.on_mesh(number, mesh.get());
  draw_field_points(static_cast<const PointSampler&>(*sampler), rows, random, part);
  const auto sensors =
      sensors_.draw(index, mesh ? field::PointSource(*mesh) : field::PointSource(dataset_, number), random);
  std::copy(sensors.begin(), sensors.end(), part.point + rows.first_sensor());
  if (rows.surface > 0) {
    const field::SurfaceView wall(*mesh);
    if (wall.empty()) fail("{}: lambda_surface > 0, but case {} has no surface points", dataset_.name(), index);
    draw_wall_points(wall, rows, random, part);
  }
  const std::span<const Index> places(part.point, std::size_t(rows.all()));
  const auto at = mesh ? field::points_at(*mesh, places) : dataset_.points_at(number, places);
  part.position = at.positions;
  if (part.feature.cols() > 0) part.feature = at.features;
  part.target = held.value ? field::fields_at(*held.value, places) : dataset_.values_at(index, places);

  const Index count = std::ssize(sensors);
  auto readings = field::read_sensors(part.target.middleRows(rows.first_sensor(), count), sensors_.of(index).layout);
  readings.positions = part.position.middleRows(rows.first_sensor(), count);
  disturb(readings, random);
  out.present += double(aim_at_readings(readings.values, rows, part));
  if (prior_) subtract_prior(index, readings.values, part);
  normalize(part);
  case_weights_.apply(index, part.weight);
  out.readings.push_back(std::move(readings));
  out.descriptors.push_back(held.value ? held.value->descriptors : dataset_.without_fields(index).descriptors);
  out.meshes.push_back(mesh);
}

BatchMaker::Draft BatchMaker::draft(const Turn& turn) {
  const auto cases = cases_of(turn.step, turn.attempt);
  const auto& schema = dataset_.schema();
  const Index batch = std::ssize(cases), d = schema.dim(), c = std::ssize(schema.channels),
              f = std::ssize(schema.features);
  const auto rows = this->rows();
  const Index all = rows.all();
  Draft out;
  out.positions = zeros({batch, all, d});
  out.features = zeros({batch, all, f});
  out.targets = zeros({batch, all, c});
  out.weights = zeros({batch, all, c});
  out.points = zeros({batch, all}, torch::kInt64);
  const auto block = [&](const torch::Tensor& t, Index b, Index columns) {
    return Eigen::Map<field::Matrix>(t.data_ptr<float>() + b * all * columns, all, columns);
  };
  for (Index b = 0; b < batch; ++b) {
    Random random(config_.seed, kQueries + 16 * turn.attempt, turn.step * config_.batch + share_.begin + b);
    Part part{out.points.data_ptr<std::int64_t>() + b * all, block(out.positions, b, d), block(out.features, b, f),
              block(out.targets, b, c), block(out.weights, b, c)};
    draft_case(cases[b], random, rows, part, out);
  }
  return out;
}

Batch BatchMaker::make(Index step, Index attempt) {
  if (budget_) cache_.set_budget(budget_->room(cache_.held_bytes()));
  auto draft = drafts_.take({step, attempt});
  const auto rows = this->rows();
  group_.sum(std::span(&draft.present, 1));
  draft.weights.slice(1, rows.first_sensor(), rows.first_surface())
      .mul_(config_.lambda_obs / std::max(1.0, draft.present));

  Batch out;
  out.observation = make_observation(draft.readings, draft.descriptors, normalization_, device_);
  if (with_geometry_) add_geometry(out.observation, draft.meshes, normalization_, device_);
  out.queries.positions = to_device(draft.positions, device_);
  out.queries.features = to_device(draft.features, device_);
  out.queries.points = draft.points;
  out.queries.meshes = std::move(draft.meshes);
  out.targets = to_device(draft.targets, device_);
  out.weights = to_device(draft.weights, device_);
  out.terms = {{"data", 0, rows.first_sensor(), 1.0}};
  if (config_.lambda_obs > 0)
    out.terms.push_back({"observation", rows.first_sensor(), rows.first_surface(), config_.lambda_obs});
  if (config_.lambda_surface > 0)
    out.terms.push_back({"surface", rows.first_surface(), rows.all(), config_.lambda_surface});
  return out;
}

}  // namespace fluidsplat::learn

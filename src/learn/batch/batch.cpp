// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/batch.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "learn/batch/make_observation.h"

namespace fluidsplat::learn {
namespace {

// Separate streams of randomness for separate purposes.
enum Stream : std::uint64_t { kOrder = 1, kQueries = 2 };

// How far cases are read ahead of the step that needs them, as far as there is memory for them.
constexpr Index kStepsAhead = 4;

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
             [this](Index number, const field::Mesh& mesh) { return sampling_.on_mesh(number, mesh); }) {
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

void BatchMaker::look_ahead(Index step, Index attempt) {
  if (budget_) cache_.set_budget(budget_->room(cache_.held_bytes()));
  std::vector<Index> next;
  for (Index k = 1; k <= kStepsAhead; ++k)
    for (const auto index : cases_of(step + k, attempt)) next.push_back(index);
  cache_.expect(next);
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
  if (config_.sensor_dropout > 0) {
    const auto spared = Index(random.below(n));
    for (Index i = 0; i < n; ++i)
      if (random.uniform() < config_.sensor_dropout && i != spared) readings.values.row(i).setConstant(nan);
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
  for (Index i = 0; i < rows.field; ++i) {
    part.point[i] = sampler.draw(random);
    part.weight.row(i).setConstant(sampler.weight(part.point[i]) / values);
  }
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

Batch BatchMaker::make(Index step, Index attempt) {
  const auto cases = cases_of(step, attempt);
  look_ahead(step, attempt);
  const auto& schema = dataset_.schema();
  const Index batch = std::ssize(cases), d = schema.dim(), c = std::ssize(schema.channels),
              f = std::ssize(schema.features);
  const Rows rows{config_.sampling.queries, sensors_.largest(),
                  config_.lambda_surface > 0 ? config_.sampling.surface_queries : 0};
  const Index all = rows.all();

  Batch out;
  auto positions = torch::zeros({batch, all, d}), features = torch::zeros({batch, all, f}),
       targets = torch::zeros({batch, all, c}), weights = torch::zeros({batch, all, c});
  auto points = torch::zeros({batch, all}, torch::kInt64);
  const auto block = [&](const torch::Tensor& t, Index b, Index columns) {
    return Eigen::Map<field::Matrix>(t.data_ptr<float>() + b * all * columns, all, columns);
  };
  std::vector<field::SensorReadings> readings;
  std::vector<field::Vector> descriptors;
  double present = 0;
  for (Index b = 0; b < batch; ++b) {
    const auto [data, sampler] = cache_.get(cases[b]);
    const auto& mesh = *data->mesh;
    Random random(config_.seed, kQueries + 16 * attempt, step * config_.batch + share_.begin + b);
    Part part{points.data_ptr<std::int64_t>() + b * all, block(positions, b, d), block(features, b, f),
              block(targets, b, c), block(weights, b, c)};
    draw_field_points(static_cast<const PointSampler&>(*sampler), rows, random, part);
    const auto sensors = sensors_.draw(cases[b], mesh, random);
    std::copy(sensors.points.begin(), sensors.points.end(), part.point + rows.first_sensor());
    const field::SurfaceView wall(mesh);
    if (rows.surface > 0 && wall.empty())
      fail("{}: lambda_surface > 0, but case {} has no surface points", dataset_.name(), cases[b]);
    draw_wall_points(wall, rows, random, part);
    for (Index i = 0; i < all; ++i) {
      part.position.row(i) = mesh.position(part.point[i]);
      part.target.row(i) = data->values(part.point[i]);
      if (f > 0) part.feature.row(i) = mesh.features_at(part.point[i]);
    }
    readings.push_back(field::read_sensors(*data, sensors));
    disturb(readings.back(), random);
    present += double(aim_at_readings(readings.back().values, rows, part));
    if (prior_) subtract_prior(cases[b], readings.back().values, part);
    normalize(part);
    case_weights_.apply(cases[b], part.weight);
    descriptors.push_back(data->descriptors);
    out.queries.meshes.push_back(data->mesh);
  }
  group_.sum(std::span(&present, 1));
  weights.slice(1, rows.first_sensor(), rows.first_surface()).mul_(config_.lambda_obs / std::max(1.0, present));

  out.observation = make_observation(readings, descriptors, normalization_, device_);
  if (with_geometry_) add_geometry(out.observation, out.queries.meshes, normalization_, device_);
  out.queries.positions = to_device(positions, device_);
  out.queries.features = to_device(features, device_);
  out.queries.points = points;
  out.targets = to_device(targets, device_);
  out.weights = to_device(weights, device_);
  out.terms = {{"data", 0, rows.first_sensor(), 1.0}};
  if (config_.lambda_obs > 0)
    out.terms.push_back({"observation", rows.first_sensor(), rows.first_surface(), config_.lambda_obs});
  if (config_.lambda_surface > 0) out.terms.push_back({"surface", rows.first_surface(), all, config_.lambda_surface});
  return out;
}

}  // namespace fluidsplat::learn

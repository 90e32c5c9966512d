// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/batch.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "field/surface_view.h"
#include "learn/batch/make_observation.h"

namespace fluidsplat::learn {
namespace {

// Separate streams of randomness for separate purposes.
enum Stream : std::uint64_t { kOrder = 1, kQueries = 2 };

}  // namespace

// How a case's queries are laid out: points of the field, its sensors, points of the wall.
struct BatchMaker::Rows {
  Index field, sensors, surface;
  Index all() const { return field + sensors + surface; }
};

BatchMaker::BatchMaker(const TrainConfig& config, const field::Dataset& dataset, const std::vector<Index>& train,
                       const model::Normalization& normalization, const field::SensorPlacement& sensors,
                       bool with_geometry, torch::Device device, field::Matrix base)
    : config_(config),
      dataset_(dataset),
      train_(train),
      normalization_(normalization),
      sensors_(sensors),
      with_geometry_(with_geometry),
      base_(std::move(base)),
      device_(device),
      sampling_(config.sampling, dataset, train, base_),
      cache_(dataset, std::size_t(config.data.cache_gigabytes * 1e9)) {}

std::vector<Index> BatchMaker::cases_of(Index step, Index attempt) const {
  // Walks through shuffled passes over the training cases, so that each is seen equally often.
  const auto n = std::ssize(train_), batch = config_.batch;
  std::vector<Index> out, order;
  Index shuffled_pass = -1;
  for (Index i = 0; i < batch; ++i) {
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

Batch BatchMaker::make(Index step, Index attempt) {
  const auto cases = cases_of(step, attempt);
  cache_.prefetch(cases_of(step + 1, attempt));
  const auto& schema = dataset_.schema();
  const Index batch = std::ssize(cases), d = schema.dim(), c = std::ssize(schema.channels),
              f = std::ssize(schema.features);
  const Rows rows{config_.sampling.queries, sensors_.largest(),
                  config_.lambda_surface > 0 ? config_.sampling.surface_queries : 0};
  const Index all = rows.all(), first_sensor = rows.field, first_surface = rows.field + rows.sensors;

  Batch out;
  auto positions = torch::zeros({batch, all, d}), features = torch::zeros({batch, all, f}),
       targets = torch::zeros({batch, all, c}), weights = torch::zeros({batch, all, c});
  auto points = torch::zeros({batch, all}, torch::kInt64);
  std::vector<field::SensorReadings> readings;
  std::vector<field::Vector> descriptors;
  Index present = 0;
  for (Index b = 0; b < batch; ++b) {
    const auto data = cache_.get(cases[b]);
    const auto& mesh = *data->mesh;
    const field::SurfaceView wall(mesh);
    const auto& sampler = sampling_.on_mesh(dataset_.mesh_of(cases[b]));
    Random random(config_.seed, kQueries + 16 * attempt, step * batch + b);
    auto* point = points.data_ptr<std::int64_t>() + b * all;
    Eigen::Map<field::Matrix> feature(features.data_ptr<float>() + b * all * f, all, f),
        target(targets.data_ptr<float>() + b * all * c, all, c),
        weight(weights.data_ptr<float>() + b * all * c, all, c),
        position(positions.data_ptr<float>() + b * all * d, all, d);
    for (Index i = 0; i < rows.field; ++i) {
      point[i] = sampler.draw(random);
      weight.row(i).setConstant(sampler.weight(point[i]) / float(batch * rows.field * c));
    }
    const auto sensors = sensors_.draw(cases[b], mesh, random);
    std::copy(sensors.points.begin(), sensors.points.end(), point + first_sensor);
    for (Index i = 0; i < rows.surface; ++i) {
      if (wall.size() == 0)
        fail("{}: lambda_surface > 0, but case {} has no surface points", dataset_.name(), cases[b]);
      point[first_surface + i] = wall.place(Index(random.below(wall.size())));
    }
    weight.bottomRows(rows.surface).setConstant(float(config_.lambda_surface) / float(batch * rows.surface * c));

    // Gather the rows, then normalise the small blocks.
    field::Matrix at(all, d);
    for (Index i = 0; i < all; ++i) {
      at.row(i) = mesh.position(point[i]);
      target.row(i) = data->values(point[i]);
      if (f > 0) feature.row(i) = mesh.features_at(point[i]);
    }
    readings.push_back(field::read_sensors(*data, sensors));
    disturb(readings.back(), random);
    // A sensor's target is what it says, where it says something; it is weighed when all readings are counted.
    const auto& values = readings.back().values;
    for (Index i = 0; i < values.rows(); ++i)
      for (Index k = 0; k < c; ++k)
        if (!std::isnan(values(i, k))) {
          target(first_sensor + i, k) = values(i, k);
          weight(first_sensor + i, k) = 1;
          ++present;
        }
    for (Index i = 0; base_.rows() > 0 && i < all; ++i) target.row(i) -= base_.row(point[i]);
    position = normalization_.positions(at);
    normalization_.channels.normalize(target);
    if (f > 0) normalization_.features.normalize(feature);
    descriptors.push_back(data->descriptors);
    out.queries.meshes.push_back(data->mesh);
  }
  weights.slice(1, first_sensor, first_surface).mul_(config_.lambda_obs / double(std::max<Index>(1, present)));

  out.observation = make_observation(readings, descriptors, normalization_, device_);
  if (with_geometry_) add_geometry(out.observation, out.queries.meshes, normalization_, device_);
  out.queries.positions = to_device(positions, device_);
  out.queries.features = to_device(features, device_);
  out.queries.points = points;
  out.targets = to_device(targets, device_);
  out.weights = to_device(weights, device_);
  out.terms = {{"data", 0, first_sensor, 1.0}};
  if (config_.lambda_obs > 0) out.terms.push_back({"observation", first_sensor, first_surface, config_.lambda_obs});
  if (config_.lambda_surface > 0) out.terms.push_back({"surface", first_surface, all, config_.lambda_surface});
  return out;
}

}  // namespace fluidsplat::learn

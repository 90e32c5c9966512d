// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch.h"

#include <cmath>
#include <set>

#include "base/error.h"
#include "field/wall.h"

namespace fluidsplat::learn {
namespace {

// Separate streams of randomness for separate purposes.
enum Stream : std::uint64_t { kOrder = 1, kQueries = 2 };

torch::Tensor to_device(const torch::Tensor& t, const torch::Device& device) {
  return device.is_cpu() ? t : t.to(device);
}

}  // namespace

Observation make_observation(const std::vector<field::SensorReadings>& readings,
                             const std::vector<field::Vector>& descriptors, const field::Normalizer& normalizer,
                             const torch::Device& device) {
  const auto batch = std::ssize(readings);
  Index longest = 1;
  for (const auto& r : readings) {
    Index count = 0;
    for (Index i = 0; i < r.values.size(); ++i) count += !std::isnan(r.values.data()[i]);
    longest = std::max(longest, count);
  }
  const auto dim = readings.front().positions.cols();
  const auto m = std::ssize(normalizer.descriptors);
  auto positions = torch::zeros({batch, longest, dim}), values = torch::zeros({batch, longest}),
       present = torch::zeros({batch, longest}), conditions = torch::zeros({batch, m});
  auto channels = torch::zeros({batch, longest}, torch::kInt64);
  auto pos = positions.accessor<float, 3>();
  auto val = values.accessor<float, 2>();
  auto pre = present.accessor<float, 2>();
  auto cha = channels.accessor<std::int64_t, 2>();
  for (Index b = 0; b < batch; ++b) {
    const auto& r = readings[b];
    const field::Matrix unit = normalizer.positions(r.positions);
    Index token = 0;
    for (Index i = 0; i < r.values.rows(); ++i)
      for (Index c = 0; c < r.values.cols(); ++c) {
        if (std::isnan(r.values(i, c))) continue;
        const std::size_t k = c;
        for (Index a = 0; a < dim; ++a) pos[b][token][a] = unit(i, a);
        const float usual = r.usual.size() > 0 ? r.usual(i, c) : normalizer.readings.mean[k];
        val[b][token] = (r.values(i, c) - usual) / normalizer.readings.scale[k];
        cha[b][token] = c;
        pre[b][token++] = 1;
      }
    if (m > 0) {
      field::Matrix row = descriptors[b].transpose();
      normalizer.descriptors.normalize(row);
      for (Index k = 0; k < m; ++k) conditions[b][k] = row(0, k);
    }
  }
  Observation out;
  out.positions = to_device(positions, device);
  out.values = to_device(values, device);
  out.channels = to_device(channels, device);
  out.present = to_device(present, device);
  out.descriptors = to_device(conditions, device);
  return out;
}

void add_geometry(Observation& observation, const std::vector<std::shared_ptr<const field::Mesh>>& meshes,
                  const field::Normalizer& normalizer, const torch::Device& device) {
  const auto batch = std::ssize(meshes);
  const auto dim = meshes.front()->points.cols();
  Index longest = 1;
  std::vector<std::vector<Index>> walls;
  for (const auto& mesh : meshes) {
    walls.push_back(field::thin_wall(*mesh, field::kGeometryTokens));
    longest = std::max(longest, std::ssize(walls.back()));
  }
  auto positions = torch::zeros({batch, longest, dim}), normals = torch::zeros({batch, longest, dim}),
       present = torch::zeros({batch, longest});
  auto pos = positions.accessor<float, 3>();
  auto nor = normals.accessor<float, 3>();
  auto pre = present.accessor<float, 2>();
  for (Index b = 0; b < batch; ++b) {
    const auto& mesh = *meshes[b];
    const auto& wall = walls[b];
    for (Index i = 0; i < std::ssize(wall); ++i) {
      const Index s = wall[i];
      const field::Matrix unit = normalizer.positions(mesh.points.row(mesh.surface[s]));
      for (Index a = 0; a < dim; ++a) {
        pos[b][i][a] = unit(0, a);
        nor[b][i][a] = mesh.normals.size() > 0 ? mesh.normals(s, a) : 0;
      }
      pre[b][i] = 1;
    }
  }
  observation.geometry_positions = to_device(positions, device);
  observation.geometry_features = to_device(normals, device);
  observation.geometry_present = to_device(present, device);
}

BatchMaker::BatchMaker(const TrainConfig& config, const field::Dataset& dataset, const std::vector<Index>& train,
                       const field::Normalizer& normalizer, const field::SensorPlan& sensors, torch::Device device)
    : config_(config),
      dataset_(dataset),
      train_(train),
      normalizer_(normalizer),
      sensors_(sensors),
      device_(device),
      sampling_(config.sampling, dataset, train),
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

void BatchMaker::silence_sensors(field::SensorReadings& readings, Random& random) const {
  const auto n = readings.values.rows();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  if (config_.sensors_max > 0) {
    const auto low = std::min<Index>(config_.sensors_min, n), high = std::min<Index>(config_.sensors_max, n);
    const auto keep = low + static_cast<Index>(random.below(high - low + 1));
    std::vector<Index> order(n);
    for (Index i = 0; i < n; ++i) order[i] = i;
    random.shuffle(order);
    for (std::size_t i = keep; i < order.size(); ++i) readings.values.row(order[i]).setConstant(nan);
  }
  if (config_.sensor_dropout > 0) {
    const Index spared = random.below(n);
    for (Index i = 0; i < n; ++i)
      if (random.uniform() < config_.sensor_dropout && i != spared) readings.values.row(i).setConstant(nan);
  }
  if (config_.sensor_noise > 0)
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < readings.values.cols(); ++c)
        readings.values(i, c) += float(config_.sensor_noise * random.normal()) * normalizer_.channels.scale[c];
}

Batch BatchMaker::make(Index step, Index attempt) {
  const auto cases = cases_of(step, attempt);
  cache_.prefetch(cases_of(step + 1, attempt));
  const auto batch = std::ssize(cases);
  const auto& schema = dataset_.schema();
  const auto d = static_cast<Index>(schema.dim()), c = std::ssize(schema.channels), f = std::ssize(schema.features);
  const auto q = config_.sampling.queries, n = sensors_.layout().size(),
             s = config_.lambda_surface > 0 ? config_.sampling.surface_queries : 0;
  const auto all = q + n + s;

  Batch out;
  out.field_queries = q;
  out.sensor_queries = n;
  out.surface_queries = s;
  auto positions = torch::zeros({batch, all, d}), features = torch::zeros({batch, all, f}),
       targets = torch::zeros({batch, all, c}), weights = torch::ones({batch, q});
  std::vector<field::SensorReadings> readings;
  std::vector<field::Vector> descriptors;
  std::vector<std::shared_ptr<const field::Mesh>> meshes;
  for (Index b = 0; b < batch; ++b) {
    const auto index = cases[b];
    const auto data = cache_.get(index);
    const auto m = dataset_.mesh_of(index);
    const auto& mesh = *data->mesh;
    const auto& sampler = sampling_.on_mesh(m);
    Random random(config_.seed, kQueries + 16 * static_cast<std::uint64_t>(attempt), step * batch + b);
    std::vector<Index> points;
    points.reserve(all);
    float* weight = weights.data_ptr<float>() + b * q;
    for (Index i = 0; i < q; ++i) {
      points.push_back(sampler.draw(random));
      weight[i] = sampler.weight(points.back());
    }
    for (auto p : sensors_.points(m)) points.push_back(p);
    for (Index i = 0; i < s; ++i) {
      if (mesh.surface.empty())
        fail("{}: lambda_surface > 0, but case {} has no surface points", dataset_.name(), index);
      points.push_back(mesh.surface[random.below(mesh.surface.size())]);
    }
    // Gather the rows, then normalise the small blocks.
    const Index rows = all;
    field::Matrix at(rows, d);
    Eigen::Map<field::Matrix> feature(features.data_ptr<float>() + b * all * f, rows, f),
        target(targets.data_ptr<float>() + b * all * c, rows, c),
        position(positions.data_ptr<float>() + b * all * d, rows, d);
    for (Index i = 0; i < rows; ++i) {
      const auto p = points[i];
      at.row(i) = mesh.points.row(p);
      target.row(i) = data->fields.row(p);
      if (f > 0) feature.row(i) = mesh.features.row(p);
    }
    position = normalizer_.positions(at);
    normalizer_.channels.normalize(target);
    if (f > 0) normalizer_.features.normalize(feature);
    readings.push_back(sensors_.read(*data, m));
    silence_sensors(readings.back(), random);
    descriptors.push_back(data->descriptors);
    meshes.push_back(data->mesh);
  }

  out.observation = make_observation(readings, descriptors, normalizer_, device_);
  if (config_.model.geometry) add_geometry(out.observation, meshes, normalizer_, device_);
  out.queries = {to_device(positions, device_), to_device(features, device_)};
  out.targets = to_device(targets.slice(1, 0, q), device_);
  out.surface_targets = to_device(targets.slice(1, q + n), device_);
  out.weights = to_device(weights, device_);

  // Which query and channel each token of the observation speaks of, in the order make_observation laid them.
  const auto tokens = out.observation.values.size(1);
  auto query = torch::zeros({batch, tokens}, torch::kInt64);
  auto said = torch::zeros({batch, tokens});
  auto access = query.accessor<std::int64_t, 2>();
  auto value = said.accessor<float, 2>();
  for (Index b = 0; b < batch; ++b) {
    Index token = 0;
    const auto& values = readings[b].values;
    for (Index i = 0; i < values.rows(); ++i)
      for (Index k = 0; k < values.cols(); ++k) {
        if (std::isnan(values(i, k))) continue;
        const std::size_t channel = k;
        value[b][token] = (values(i, k) - normalizer_.channels.mean[channel]) / normalizer_.channels.scale[channel];
        access[b][token++] = i;
      }
  }
  out.obs_query = to_device(query, device_);
  out.obs_channel = out.observation.channels;
  out.obs_value = to_device(said, device_);
  out.obs_present = out.observation.present;
  return out;
}

}  // namespace fluidsplat::learn

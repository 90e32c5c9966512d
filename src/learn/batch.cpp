// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch.h"

#include <cmath>
#include <set>

#include "base/error.h"

namespace fluidsplat::learn {
namespace {

// Separate streams of randomness for separate purposes.
enum Stream : std::uint64_t { kOrder = 1, kQueries = 2 };
constexpr std::int64_t kGeometryTokens = 256;

torch::Tensor to_device(const torch::Tensor& t, const torch::Device& device) {
  return device.is_cpu() ? t : t.to(device);
}

}  // namespace

SensorPlan::SensorPlan(field::SensorLayout layout, const field::Dataset& dataset)
    : layout_(std::move(layout)) {
  for (std::int64_t m = 0; m < dataset.mesh_count(); ++m) {
    const auto mesh = dataset.mesh(m);
    try {
      on_mesh_.push_back(layout_.snap(*mesh, field::snap_tolerance(*mesh)));
    } catch (const Error& e) {
      if (dataset.mesh_count() == 1) throw;
      fail("{}, mesh {}: {}", dataset.name(), m, e.what());
    }
  }
}

field::SensorReadings SensorPlan::read(const field::Case& c, std::int64_t mesh) const {
  const auto& snapped = on_mesh_[static_cast<std::size_t>(mesh)];
  return field::read_sensors(c, snapped.layout, snapped.points);
}

const std::vector<std::int64_t>& SensorPlan::points(std::int64_t mesh) const {
  return on_mesh_[static_cast<std::size_t>(mesh)].points;
}

field::Scaling SensorPlan::learn_usual(const field::Dataset& dataset, const std::vector<std::int64_t>& cases,
                                       const field::Scaling& fallback) {
  std::vector<field::Matrix> readings;
  for (auto index : cases) readings.push_back(read(dataset.load(index), dataset.mesh_of(index)).values);
  if (layout_.redraw) {
    // A sensor has no place of its own: what it usually says is what sensors usually say.
    std::vector<field::Matrix> each;
    for (const auto& r : readings)
      for (Eigen::Index i = 0; i < r.rows(); ++i) each.push_back(r.row(i));
    return field::fit_readings(each, fallback).scaling;
  }
  const auto statistics = field::fit_readings(readings, fallback);
  layout_.usual = statistics.usual;
  for (auto& snapped : on_mesh_) snapped.layout.usual = statistics.usual;
  return statistics.scaling;
}

Observation make_observation(const std::vector<field::SensorReadings>& readings,
                             const std::vector<field::Vector>& descriptors,
                             const field::Normalizer& normalizer, const torch::Device& device) {
  const auto batch = static_cast<std::int64_t>(readings.size());
  std::int64_t longest = 1;
  for (const auto& r : readings) {
    std::int64_t count = 0;
    for (Eigen::Index i = 0; i < r.values.size(); ++i) count += !std::isnan(r.values.data()[i]);
    longest = std::max(longest, count);
  }
  const auto dim = readings.front().positions.cols();
  const auto m = static_cast<std::int64_t>(normalizer.descriptors.size());
  auto positions = torch::zeros({batch, longest, dim}), values = torch::zeros({batch, longest}),
       present = torch::zeros({batch, longest}), conditions = torch::zeros({batch, m});
  auto channels = torch::zeros({batch, longest}, torch::kInt64);
  auto pos = positions.accessor<float, 3>();
  auto val = values.accessor<float, 2>();
  auto pre = present.accessor<float, 2>();
  auto cha = channels.accessor<std::int64_t, 2>();
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto& r = readings[static_cast<std::size_t>(b)];
    const field::Matrix unit = normalizer.positions(r.positions);
    std::int64_t token = 0;
    for (Eigen::Index i = 0; i < r.values.rows(); ++i)
      for (Eigen::Index c = 0; c < r.values.cols(); ++c) {
        if (std::isnan(r.values(i, c))) continue;
        const auto k = static_cast<std::size_t>(c);
        for (Eigen::Index a = 0; a < dim; ++a) pos[b][token][a] = unit(i, a);
        const float usual = r.usual.size() > 0 ? r.usual(i, c) : normalizer.readings.mean[k];
        val[b][token] = (r.values(i, c) - usual) / normalizer.readings.scale[k];
        cha[b][token] = c;
        pre[b][token++] = 1;
      }
    if (m > 0) {
      field::Matrix row = descriptors[static_cast<std::size_t>(b)].transpose();
      normalizer.descriptors.normalize(row);
      for (std::int64_t k = 0; k < m; ++k) conditions[b][k] = row(0, k);
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
  const auto batch = static_cast<std::int64_t>(meshes.size());
  const auto dim = meshes.front()->points.cols();
  std::int64_t longest = 1;
  for (const auto& mesh : meshes)
    longest = std::max(longest, std::min(kGeometryTokens, static_cast<std::int64_t>(mesh->surface.size())));
  auto positions = torch::zeros({batch, longest, dim}), normals = torch::zeros({batch, longest, dim}),
       present = torch::zeros({batch, longest});
  auto pos = positions.accessor<float, 3>();
  auto nor = normals.accessor<float, 3>();
  auto pre = present.accessor<float, 2>();
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto& mesh = *meshes[static_cast<std::size_t>(b)];
    const auto count = static_cast<std::int64_t>(mesh.surface.size()),
               kept = std::min(kGeometryTokens, count);
    for (std::int64_t i = 0; i < kept; ++i) {
      const auto s = static_cast<Eigen::Index>(i * count / kept);
      const field::Matrix unit =
          normalizer.positions(mesh.points.row(mesh.surface[static_cast<std::size_t>(s)]));
      for (Eigen::Index a = 0; a < dim; ++a) {
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

BatchMaker::BatchMaker(const TrainConfig& config, const field::Dataset& dataset,
                       const std::vector<std::int64_t>& train, const field::Normalizer& normalizer,
                       const SensorPlan& sensors, torch::Device device)
    : config_(config),
      dataset_(dataset),
      train_(train),
      normalizer_(normalizer),
      sensors_(sensors),
      device_(device),
      sampling_(config.sampling, dataset, train),
      cache_(dataset, static_cast<std::size_t>(config.data.cache_gigabytes * 1e9)) {}

std::vector<std::int64_t> BatchMaker::cases_of(std::int64_t step, std::int64_t attempt) const {
  // Walks through shuffled passes over the training cases, so that each is seen equally often.
  const auto n = static_cast<std::int64_t>(train_.size()), batch = config_.batch;
  std::vector<std::int64_t> out, order;
  std::int64_t shuffled_pass = -1;
  for (std::int64_t i = 0; i < batch; ++i) {
    const std::int64_t position = step * batch + i, pass = position / n;
    if (pass != shuffled_pass) {
      order = train_;
      Random(static_cast<std::uint64_t>(config_.seed), kOrder + 16 * static_cast<std::uint64_t>(attempt),
             static_cast<std::uint64_t>(pass))
          .shuffle(order);
      shuffled_pass = pass;
    }
    out.push_back(order[static_cast<std::size_t>(position % n)]);
  }
  return out;
}

void BatchMaker::silence_sensors(field::SensorReadings& readings, Random& random) const {
  const auto n = readings.values.rows();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  if (config_.sensors_max > 0) {
    const auto low = std::min<std::int64_t>(config_.sensors_min, n),
               high = std::min<std::int64_t>(config_.sensors_max, n);
    const auto keep =
        low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
    std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
    for (Eigen::Index i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
    random.shuffle(order);
    for (auto i = static_cast<std::size_t>(keep); i < order.size(); ++i)
      readings.values.row(order[i]).setConstant(nan);
  }
  if (config_.sensor_dropout > 0) {
    const auto spared = static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(n)));
    for (Eigen::Index i = 0; i < n; ++i)
      if (random.uniform() < config_.sensor_dropout && i != spared) readings.values.row(i).setConstant(nan);
  }
  if (config_.sensor_noise > 0)
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index c = 0; c < readings.values.cols(); ++c)
        readings.values(i, c) += static_cast<float>(config_.sensor_noise * random.normal()) *
                                 normalizer_.channels.scale[static_cast<std::size_t>(c)];
}

Batch BatchMaker::make(std::int64_t step, std::int64_t attempt) {
  const auto cases = cases_of(step, attempt);
  cache_.prefetch(cases_of(step + 1, attempt));
  const auto batch = static_cast<std::int64_t>(cases.size());
  const auto& schema = dataset_.schema();
  const auto d = static_cast<std::int64_t>(schema.dim()),
             c = static_cast<std::int64_t>(schema.channels.size()),
             f = static_cast<std::int64_t>(schema.features.size());
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
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto index = cases[static_cast<std::size_t>(b)];
    const auto data = cache_.get(index);
    const auto m = dataset_.mesh_of(index);
    const auto& mesh = *data->mesh;
    const auto& sampler = sampling_.on_mesh(m);
    Random random(static_cast<std::uint64_t>(config_.seed),
                  kQueries + 16 * static_cast<std::uint64_t>(attempt),
                  static_cast<std::uint64_t>(step * batch + b));
    std::vector<std::int64_t> points;
    points.reserve(static_cast<std::size_t>(all));
    float* weight = weights.data_ptr<float>() + b * q;
    for (std::int64_t i = 0; i < q; ++i) {
      points.push_back(sampler.draw(random));
      weight[i] = sampler.weight(points.back());
    }
    for (auto p : sensors_.points(m)) points.push_back(p);
    for (std::int64_t i = 0; i < s; ++i) {
      if (mesh.surface.empty())
        fail("{}: lambda_surface > 0, but case {} has no surface points", dataset_.name(), index);
      points.push_back(mesh.surface[random.below(mesh.surface.size())]);
    }
    // Gather the rows, then normalise the small blocks.
    const auto rows = static_cast<Eigen::Index>(all);
    field::Matrix at(rows, d);
    Eigen::Map<field::Matrix> feature(features.data_ptr<float>() + b * all * f, rows, f),
        target(targets.data_ptr<float>() + b * all * c, rows, c),
        position(positions.data_ptr<float>() + b * all * d, rows, d);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const auto p = points[static_cast<std::size_t>(i)];
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
  for (std::int64_t b = 0; b < batch; ++b) {
    std::int64_t token = 0;
    const auto& values = readings[static_cast<std::size_t>(b)].values;
    for (Eigen::Index i = 0; i < values.rows(); ++i)
      for (Eigen::Index k = 0; k < values.cols(); ++k) {
        if (std::isnan(values(i, k))) continue;
        const auto channel = static_cast<std::size_t>(k);
        value[b][token] =
            (values(i, k) - normalizer_.channels.mean[channel]) / normalizer_.channels.scale[channel];
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

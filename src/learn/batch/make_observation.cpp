// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/make_observation.h"

#include <cmath>

#include "field/surface_view.h"
#include "field/wall.h"

namespace fluidsplat::learn {

Observation make_observation(const std::vector<field::SensorReadings>& readings,
                             const std::vector<field::Vector>& descriptors, const model::Normalization& normalization,
                             const torch::Device& device) {
  const auto batch = std::ssize(readings);
  Index longest = 1;
  for (const auto& r : readings) {
    Index count = 0;
    for (Index i = 0; i < r.values.size(); ++i) count += !std::isnan(r.values.data()[i]);
    longest = std::max(longest, count);
  }
  const auto dim = readings.front().positions.cols();
  const auto m = std::ssize(normalization.descriptors);
  auto positions = torch::zeros({batch, longest, dim}), values = torch::zeros({batch, longest}),
       present = torch::zeros({batch, longest}), conditions = torch::zeros({batch, m});
  auto channels = torch::zeros({batch, longest}, torch::kInt64), sensors = torch::zeros_like(channels);
  auto pos = positions.accessor<float, 3>();
  auto val = values.accessor<float, 2>();
  auto pre = present.accessor<float, 2>();
  auto cha = channels.accessor<std::int64_t, 2>(), sen = sensors.accessor<std::int64_t, 2>();
  for (Index b = 0; b < batch; ++b) {
    const auto& r = readings[b];
    const field::Matrix unit = normalization.positions(r.positions);
    Index token = 0;
    for (Index i = 0; i < r.values.rows(); ++i)
      for (Index c = 0; c < r.values.cols(); ++c) {
        if (std::isnan(r.values(i, c))) continue;
        for (Index a = 0; a < dim; ++a) pos[b][token][a] = unit(i, a);
        const float mean = r.mean.size() > 0 ? r.mean(i, c) : normalization.readings.mean[c];
        val[b][token] = (r.values(i, c) - mean) / normalization.readings.scale[c];
        cha[b][token] = c;
        sen[b][token] = i;
        pre[b][token++] = 1;
      }
    if (m > 0) {
      field::Matrix row = descriptors[b].transpose();
      normalization.descriptors.normalize(row);
      for (Index k = 0; k < m; ++k) conditions[b][k] = row(0, k);
    }
  }
  Observation out;
  out.positions = to_device(positions, device);
  out.values = to_device(values, device);
  out.channels = to_device(channels, device);
  out.present = to_device(present, device);
  out.sensors = to_device(sensors, device);
  out.descriptors = to_device(conditions, device);
  return out;
}

void add_geometry(Observation& observation, const std::vector<std::shared_ptr<const field::Mesh>>& meshes,
                  const model::Normalization& normalization, const torch::Device& device) {
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
    const field::SurfaceView wall(*meshes[b]);
    for (Index i = 0; i < std::ssize(walls[b]); ++i) {
      const Index s = walls[b][i];
      const field::Matrix unit = normalization.positions(wall.position(s));
      for (Index a = 0; a < dim; ++a) {
        pos[b][i][a] = unit(0, a);
        nor[b][i][a] = wall.has_normals() ? wall.normal(s)[a] : 0;
      }
      pre[b][i] = 1;
    }
  }
  observation.geometry_positions = to_device(positions, device);
  observation.geometry_features = to_device(normals, device);
  observation.geometry_present = to_device(present, device);
}

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/left_out_readings.h"

#include <limits>

#include "field/features_near.h"
#include "field/surface_view.h"

namespace fluidsplat::reconstruct {

std::shared_ptr<const field::Mesh> mesh_of_sensors(const field::Matrix& positions, const field::Mesh& mesh) {
  auto out = std::make_shared<field::Mesh>();
  out->points = positions;
  out->features = field::features_near(mesh, positions);
  if (mesh.wall) {
    out->wall = mesh.wall;
  } else if (const field::SurfaceView wall(mesh); !wall.empty()) {
    out->wall = field::make_wall(mesh.points(mesh.surface, Eigen::all), mesh.features(mesh.surface, Eigen::all),
                                 mesh.normals, mesh.areas);
  }
  return out;
}

std::vector<float> left_out_readings(FieldModel& model, const uncertainty::InstantReadings& own,
                                     const field::SensorReadings& readings, const field::Vector& descriptors,
                                     const std::shared_ptr<const field::Mesh>& at_sensors) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> out(own.size(), kNone);
  const Index channels = readings.values.cols();
  auto without = readings;
  for (Index v = 0; v < own.size();) {
    const Index sensor = own.readings()[v].sensor;
    Index end = v;
    bool speaks = false;
    for (; end < own.size() && own.readings()[end].sensor == sensor; ++end)
      speaks = speaks || !std::isnan(readings.values.data()[own.readings()[end].place]);
    if (speaks) {
      without.values.row(sensor).setConstant(kNone);
      // With nobody left to ask there is nothing to say.
      if (!without.values.array().isNaN().all()) {
        const auto field = model.reconstruct(without, descriptors, at_sensors).field;
        for (Index w = v; w < end; ++w)
          if (!std::isnan(readings.values.data()[own.readings()[w].place]))
            out[w] = field(sensor, own.readings()[w].place % channels);
      }
      without.values.row(sensor) = readings.values.row(sensor);
    }
    v = end;
  }
  return out;
}

}  // namespace fluidsplat::reconstruct

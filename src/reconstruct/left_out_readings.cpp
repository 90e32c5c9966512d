// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/left_out_readings.h"

#include "field/features_near.h"
#include "field/surface_view.h"
#include "uncertainty/left_out.h"

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

LeftOutModel::LeftOutModel(FieldModel& model)
    : model_(model), own_(model.sensors(), model.description().normalization) {}

void LeftOutModel::go_to(field::SensorReadings readings, field::Vector descriptors,
                         std::shared_ptr<const field::Mesh> mesh) {
  const bool same_places = mesh == mesh_ && readings.positions.rows() == readings_.positions.rows() &&
                           (readings.positions.array() == readings_.positions.array()).all();
  if (!same_places) at_sensors_.reset();
  readings_ = std::move(readings);
  descriptors_ = std::move(descriptors);
  mesh_ = std::move(mesh);
}

void LeftOutModel::operator()(const float* values, float* expected) {
  if (!at_sensors_) at_sensors_ = mesh_of_sensors(readings_.positions, *mesh_);
  const auto at_sensors = [&](const float*) {
    field_ = model_.reconstruct(readings_, descriptors_, at_sensors_).field;
    return static_cast<const float*>(field_.data());
  };
  uncertainty::ask_without_each(own_, readings_.values.cols(), values, readings_.values.data(), at_sensors, expected);
}

}  // namespace fluidsplat::reconstruct

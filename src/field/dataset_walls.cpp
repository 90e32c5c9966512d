// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_walls.h"

#include <algorithm>

#include "base/error.h"
#include "field/dataset.h"

namespace fluidsplat::field {
namespace {

void write_table(io::Hdf5File& file, const std::string& name, const Matrix& m) {
  if (m.size() == 0) return;
  file.write(name, io::Array::from<float>({m.rows(), m.cols()}, {m.data(), std::size_t(m.size())}));
}

// No rows when the file has no such table.
Matrix read_table(const io::Hdf5File& file, const std::string& name, const std::string& file_name) {
  if (!file.has(name)) return {};
  const auto array = file.read(name);
  if (array.shape.size() != 2) fail("{}: {} is not a table", file_name, name);
  const auto values = array.as<float>();
  return Eigen::Map<const Matrix>(values.data(), array.shape[0], array.shape[1]);
}

}  // namespace

std::string wall_group(Index mesh) {
  return fmt::format("/meshes/{}/wall", mesh);
}
std::string wall_fields_name(Index mesh) {
  return fmt::format("/wall_fields/{}", mesh);
}

void write_wall(io::Hdf5File& file, Index mesh, const Mesh& contents, Index channels) {
  if (!contents.wall) return;
  const Mesh& wall = *contents.wall;
  const auto group = wall_group(mesh);
  write_table(file, group + "/points", wall.points);
  write_table(file, group + "/features", wall.features);
  write_table(file, group + "/normals", wall.normals);
  if (!wall.areas.empty()) file.write(group + "/areas", io::Array::from<double>({std::ssize(wall.areas)}, wall.areas));
  file.create_appendable(wall_fields_name(mesh), io::DType::f32, {wall.size(), channels},
                         {1, std::min(wall.size(), kChunkPoints), channels}, 0);
}

std::shared_ptr<const Mesh> read_wall(const io::Hdf5File& file, Index mesh, const std::string& name) {
  const auto group = wall_group(mesh);
  if (!file.has(group + "/points")) return nullptr;
  Matrix points = read_table(file, group + "/points", name), features = read_table(file, group + "/features", name);
  if (features.size() == 0) features.resize(points.rows(), 0);
  std::vector<double> areas;
  if (file.has(group + "/areas")) areas = file.read(group + "/areas").as<double>();
  return make_wall(std::move(points), std::move(features), read_table(file, group + "/normals", name),
                   std::move(areas));
}

void append_wall_fields(io::Hdf5File& file, Index mesh, const Case& c) {
  if (c.mesh->wall) file.append(wall_fields_name(mesh), io::DType::f32, c.wall_fields.data());
}

void check_wall_fields(const io::Hdf5File& file, Index mesh, Index frames, Index channels, const std::string& name) {
  if (!file.has(wall_group(mesh) + "/points")) return;
  const auto points = file.shape(wall_group(mesh) + "/points"), fields = file.shape(wall_fields_name(mesh));
  if (points.size() != 2 || fields != std::vector<Index>{frames, points[0], channels})
    fail("{}: {} is {}, but the wall is {}, with {} frames of {} channels", name, wall_fields_name(mesh),
         io::shape_text(fields), io::shape_text(points), frames, channels);
}

void read_wall_fields(const io::Hdf5File& file, Index mesh, Index frame, Index channels, Case& c) {
  if (!c.mesh->wall) return;
  c.wall_fields.resize(c.mesh->wall->size(), channels);
  file.read_rows<float>(wall_fields_name(mesh), frame, 1, c.wall_fields.data());
}

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_meshes.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "field/dataset_walls.h"

namespace fluidsplat::field {
namespace {

using nlohmann::json;

io::Array to_array(const Matrix& m) {
  return io::Array::from<float>({m.rows(), m.cols()}, {m.data(), static_cast<std::size_t>(m.size())});
}

}  // namespace

std::string mesh_group(Index number) {
  return fmt::format("/meshes/{}", number);
}

std::string fields_name(Index number) {
  return fmt::format("/fields/{}", number);
}

void write_mesh(io::Hdf5File& file, Index number, const Mesh& mesh) {
  const auto group = mesh_group(number);
  file.write(group + "/points", to_array(mesh.points));
  if (mesh.features.cols() > 0) file.write(group + "/features", to_array(mesh.features));
  if (mesh.is_grid()) {
    file.write(group + "/grid_cell", io::Array::from<std::int64_t>({mesh.size()}, mesh.grid_cell));
    file.set_attribute(group, "grid_shape", json(mesh.grid_shape).dump());
  }
  if (!mesh.surface.empty())
    file.write(group + "/surface", io::Array::from<std::int64_t>({std::ssize(mesh.surface)}, mesh.surface));
  if (mesh.normals.size() > 0) file.write(group + "/normals", to_array(mesh.normals));
  if (!mesh.areas.empty()) file.write(group + "/areas", io::Array::from<double>({std::ssize(mesh.areas)}, mesh.areas));
}

std::vector<Index> read_grid_shape(const io::Hdf5File& file, Index number, const std::string& name) {
  const auto group = mesh_group(number);
  if (!file.has(group + "/grid_cell")) return {};
  try {
    return json::parse(file.string_attribute(group, "grid_shape")).get<std::vector<Index>>();
  } catch (const json::exception&) {
    fail("{}: the grid shape of mesh {} is damaged", name, number);
  }
}

Mesh read_mesh(const io::Hdf5File& file, Index number, const std::string& name) {
  const auto group = mesh_group(number);
  const auto matrix = [&](const std::string& part) {
    const auto array = file.read(group + part);
    if (array.shape.size() != 2) fail("{}: {}{} is not a table", name, group, part);
    const auto values = array.as<float>();
    return Matrix(Eigen::Map<const Matrix>(values.data(), array.shape[0], array.shape[1]));
  };
  Mesh mesh;
  mesh.points = matrix("/points");
  mesh.features = file.has(group + "/features") ? matrix("/features") : Matrix(mesh.size(), 0);
  mesh.grid_shape = read_grid_shape(file, number, name);
  if (mesh.is_grid()) mesh.grid_cell = file.read(group + "/grid_cell").as<std::int64_t>();
  if (file.has(group + "/surface")) mesh.surface = file.read(group + "/surface").as<std::int64_t>();
  if (file.has(group + "/normals")) mesh.normals = matrix("/normals");
  if (file.has(group + "/areas")) mesh.areas = file.read(group + "/areas").as<double>();
  mesh.wall = read_wall(file, number, name);
  return mesh;
}

}  // namespace fluidsplat::field

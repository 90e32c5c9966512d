// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh_file.h"

#include "base/error.h"
#include "mesh/point_data.h"
#include "mesh/vtk_points.h"
#include "mesh/vtk_wall.h"

namespace fluidsplat::mesh {
namespace {

// A point array of this name and number of components, or null.
const io::VtkArray* find(const io::VtkMesh& vtk, const char* name, int components) {
  const auto* array = vtk.find_point_data(name);
  return array && array->components == components ? array : nullptr;
}

std::string names(const std::vector<field::Column>& columns) {
  std::vector<std::string> out;
  for (const auto& c : columns) out.push_back(c.name);
  return fmt::format("{}", fmt::join(out, ", "));
}

// Data that were flat along x or y have the coordinates that were left; other names stand for x, y, z in order.
std::vector<int> axes_of(const field::Schema& schema) {
  std::vector<int> named, in_order;
  for (int a = 0; a < schema.dim(); ++a) {
    const auto& name = schema.coordinates[a].name;
    if (name == "x" || name == "y" || name == "z") named.push_back(name[0] - 'x');
    in_order.push_back(a);
  }
  return named.size() == in_order.size() ? named : in_order;
}

}  // namespace

ShelledMesh read_mesh_file(const std::filesystem::path& path, const field::Schema& schema) {
  const auto file = path.string();
  auto vtk = io::read_vtk(path);
  const auto axes = axes_of(schema);
  if (const auto other = axis_beside(flatness_of(positions_of(vtk, Site::points, file)), axes))
    fail("{}: extends along {}, but the data have the coordinates {} only", file, "xyz"[*other],
         names(schema.coordinates));
  ShelledMesh out;
  auto& mesh = out.mesh;
  mesh = points_of(vtk, axes, Site::points, file);
  if (std::ssize(mesh.grid_shape) != schema.dim()) mesh.grid_shape.clear(), mesh.grid_cell.clear();  // two planes
  mesh.features.resize(schema.features.empty() ? 0 : mesh.size(), std::ssize(schema.features));
  for (Index f = 0; f < std::ssize(schema.features); ++f) {
    const auto& name = schema.features[f].name;
    const auto* array = find(vtk, name.c_str(), 1);
    if (!array) fail("{}: needs a point array \"{}\" of one component, a feature of the data", file, name);
    for (Index i = 0; i < mesh.size(); ++i) mesh.features(i, f) = float(array->values[i]);
  }
  if (const auto* wall = find(vtk, kWallArray, 1)) {
    take_wall(mesh, *wall);
    if (const auto* normals = find(vtk, kWallNormalsArray, 3)) take_normals(mesh, *normals, axes);
    if (const auto* areas = find(vtk, kWallAreasArray, 1)) take_areas(mesh, *areas, file);
  }
  out.shell = shell_of(std::move(vtk), schema.dim());
  return out;
}

}  // namespace fluidsplat::mesh

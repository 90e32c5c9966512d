// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh_file.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "field/surface_features.h"
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

// What the shape around its points tells, for a file without a wall's array that of a surface of all points.
field::Matrix shape_of(field::Mesh mesh, const std::string& file) {
  if (mesh.surface.empty()) {
    mesh.surface.resize(mesh.size());
    std::iota(mesh.surface.begin(), mesh.surface.end(), Index{0});
  }
  try {
    return field::surface_features(mesh);
  } catch (const Error& e) {
    fail("{}: {}; or give the features as point arrays", file, e.what());
  }
}

// Features are point arrays; those that follow from the shape of a surface need not be there.
void take_features(field::Mesh& mesh, const io::VtkMesh& vtk, const field::Schema& schema, const std::string& file) {
  const auto of_shape = field::surface_feature_columns(schema.coordinates);
  field::Matrix shape;
  mesh.features.resize(schema.features.empty() ? 0 : mesh.size(), std::ssize(schema.features));
  for (Index f = 0; f < std::ssize(schema.features); ++f) {
    const auto& name = schema.features[f].name;
    if (const auto* array = find(vtk, name.c_str(), 1)) {
      for (Index i = 0; i < mesh.size(); ++i) mesh.features(i, f) = float(array->values[i]);
      continue;
    }
    const auto known = std::ranges::find(of_shape, name, &field::Column::name);
    if (known == of_shape.end())
      fail("{}: needs a point array \"{}\" of one component, a feature of the data", file, name);
    if (shape.size() == 0) shape = shape_of(mesh, file);
    mesh.features.col(f) = shape.col(known - of_shape.begin());
  }
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
  if (const auto* wall = find(vtk, kWallArray, 1)) {
    take_wall(mesh, *wall);
    if (const auto* normals = find(vtk, kWallNormalsArray, 3)) take_normals(mesh, *normals, axes);
    if (const auto* areas = find(vtk, kWallAreasArray, 1)) take_areas(mesh, *areas, file);
  }
  take_features(mesh, vtk, schema, file);
  out.shell = shell_of(std::move(vtk), schema.dim());
  return out;
}

}  // namespace fluidsplat::mesh

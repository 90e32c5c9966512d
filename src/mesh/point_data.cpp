// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/point_data.h"

#include <limits>

namespace fluidsplat::mesh {

io::VtkArray point_array(const Shell& shell, const std::string& name, const field::Matrix& values, int components) {
  io::VtkArray out{name, components, {}, io::DType::f32};
  out.values.assign(shell.geometry.point_count() * components, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < std::ssize(shell.place); ++i)
    for (Index c = 0; c < components; ++c)
      out.values[shell.place[i] * components + c] = c < values.cols() ? double(values(i, c)) : 0.0;
  return out;
}

void add_channels(io::VtkMesh& vtk, const Shell& shell, const field::Schema& schema, const field::Matrix& fields) {
  for (Index c = 0; c < std::ssize(schema.channels); ++c)
    vtk.point_data.push_back(point_array(shell, schema.channels[c].name, fields.col(c), 1));
}

void add_mesh_data(io::VtkMesh& vtk, const Shell& shell, const field::Schema& schema, const field::Mesh& mesh) {
  const auto add = [&](const std::string& name, const field::Matrix& values, int components) {
    if (!vtk.find_point_data(name)) vtk.point_data.push_back(point_array(shell, name, values, components));
  };
  for (Index f = 0; f < std::ssize(schema.features); ++f) add(schema.features[f].name, mesh.features.col(f), 1);
  if (mesh.surface.empty()) return;
  field::Matrix wall = field::Matrix::Zero(mesh.size(), 1), areas = wall,
                normals = field::Matrix::Zero(mesh.size(), mesh.points.cols());
  for (Index s = 0; s < std::ssize(mesh.surface); ++s) {
    wall(mesh.surface[s], 0) = 1;
    if (mesh.normals.size() > 0) normals.row(mesh.surface[s]) = mesh.normals.row(s);
    if (!mesh.areas.empty()) areas(mesh.surface[s], 0) = float(mesh.areas[s]);
  }
  add(kWallArray, wall, 1);
  if (mesh.normals.size() > 0) add(kWallNormalsArray, normals, 3);
  if (!mesh.areas.empty()) add(kWallAreasArray, areas, 1);
}

}  // namespace fluidsplat::mesh

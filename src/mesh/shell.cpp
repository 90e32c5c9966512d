// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/shell.h"

#include <algorithm>
#include <numeric>

namespace fluidsplat::mesh {
namespace {

void every_point(Shell& shell) {
  shell.place.resize(shell.geometry.point_count());
  std::iota(shell.place.begin(), shell.place.end(), 0);
}

Shell image_around(const std::vector<Ruler>& rulers) {
  Shell shell;
  auto& image = shell.geometry;
  image.kind = io::VtkKind::image;
  image.dimensions = {1, 1, 1};
  for (std::size_t a = 0; a < rulers.size(); ++a) {
    image.dimensions[a] = rulers[a].count;
    image.origin[a] = rulers[a].first;
    image.spacing[a] = rulers[a].step;
    shell.array_shape.insert(shell.array_shape.begin(), rulers[a].count);
  }
  return shell;
}

void copy_points(io::VtkMesh& vtk, const field::Mesh& mesh) {
  vtk.points.reserve(3 * static_cast<std::size_t>(mesh.size()));
  for (Index i = 0; i < mesh.size(); ++i)
    for (Index a = 0; a < 3; ++a) vtk.points.push_back(a < mesh.points.cols() ? mesh.points(i, a) : 0.0f);
  vtk.offsets = {0};
}

// Quadrilaterals (hexahedra) between grid neighbours that all have data.
void add_grid_cells(io::VtkMesh& vtk, const field::Mesh& mesh) {
  std::vector<Index> extent(3 - mesh.grid_shape.size(), 1);
  extent.insert(extent.end(), mesh.grid_shape.begin(), mesh.grid_shape.end());
  std::vector<Index> point_of(extent[0] * extent[1] * extent[2], -1);
  for (Index i = 0; i < std::ssize(mesh.grid_cell); ++i) point_of[mesh.grid_cell[i]] = i;
  const auto at = [&](Index k, Index j, Index i) { return point_of[(k * extent[1] + j) * extent[2] + i]; };
  const bool flat = extent[0] == 1;
  for (Index k = 0; k + (flat ? 0 : 1) < extent[0]; ++k)
    for (Index j = 0; j + 1 < extent[1]; ++j)
      for (Index i = 0; i + 1 < extent[2]; ++i) {
        std::vector<Index> corners = {at(k, j, i), at(k, j, i + 1), at(k, j + 1, i + 1), at(k, j + 1, i)};
        if (!flat)
          corners.insert(corners.end(),
                         {at(k + 1, j, i), at(k + 1, j, i + 1), at(k + 1, j + 1, i + 1), at(k + 1, j + 1, i)});
        if (std::find(corners.begin(), corners.end(), -1) == corners.end())
          vtk.add_cell(flat ? io::kVtkQuad : io::kVtkHexahedron, corners);
      }
}

}  // namespace

Shell shell_of(const field::Mesh& mesh) {
  if (const auto rulers = find_rulers(mesh); !rulers.empty()) {
    Shell shell = image_around(rulers);
    for (Index i = 0; i < mesh.size(); ++i) {
      Index flat = 0;
      for (Index a = std::ssize(rulers); a-- > 0;) flat = flat * rulers[a].count + rulers[a].index(mesh.points(i, a));
      shell.place.push_back(flat);
    }
    return shell;
  }
  Shell shell;
  copy_points(shell.geometry, mesh);
  every_point(shell);
  shell.array_shape = {mesh.size()};
  if (mesh.is_grid()) {
    shell.geometry.kind = io::VtkKind::unstructured;
    add_grid_cells(shell.geometry, mesh);
  } else {
    shell.geometry.kind = io::VtkKind::poly;
    for (auto i : shell.place) shell.geometry.add_cell(io::kVtkVertex, {i});
  }
  return shell;
}

Shell image_shell(const std::vector<Ruler>& rulers) {
  Shell shell = image_around(rulers);
  every_point(shell);
  return shell;
}

Shell shell_of(io::VtkMesh vtk, int dim) {
  Shell shell;
  shell.geometry = std::move(vtk);
  shell.geometry.point_data.clear();
  shell.geometry.cell_data.clear();
  every_point(shell);
  shell.array_shape = {shell.geometry.point_count()};
  if (shell.geometry.kind == io::VtkKind::image) {
    const auto& along = shell.geometry.dimensions;
    shell.array_shape = {along[1], along[0]};
    if (dim == 3) shell.array_shape.insert(shell.array_shape.begin(), along[2]);
  }
  return shell;
}

const char* extension_of(const io::VtkMesh& vtk) {
  return vtk.kind == io::VtkKind::image ? ".vti" : vtk.kind == io::VtkKind::poly ? ".vtp" : ".vtu";
}

}  // namespace fluidsplat::mesh

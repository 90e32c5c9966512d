// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/wall_faces.h"

#include <algorithm>

namespace fluidsplat::mesh {
namespace {

bool is_polygon(std::uint8_t type) {
  return type == io::kVtkTriangle || type == io::kVtkPolygon || type == io::kVtkQuad;
}

std::vector<Index> points_of(const io::VtkMesh& mesh, std::size_t cell) {
  return {mesh.connectivity.begin() + mesh.offsets[cell], mesh.connectivity.begin() + mesh.offsets[cell + 1]};
}

// What the wall's points have of their own is kept.
void take_patches(field::Mesh& mesh, const field::Patches& patches) {
  const bool normals = mesh.normals.size() == 0, areas = mesh.areas.empty();
  if (normals) mesh.normals.resize(std::ssize(mesh.surface), 3);
  for (std::size_t s = 0; s < mesh.surface.size(); ++s) {
    if (normals) mesh.normals.row(s) = patches.normals.row(mesh.surface[s]);
    if (areas) mesh.areas.push_back(patches.areas[mesh.surface[s]]);
  }
}

// Every cell as a face, or none when a cell is not a polygon.
field::Faces cells_as_faces(const io::VtkMesh& mesh) {
  field::Faces out;
  for (std::size_t c = 0; c < mesh.cell_types.size(); ++c) {
    const auto points = points_of(mesh, c);
    if (!is_polygon(mesh.cell_types[c]) || points.size() < 3) return {};
    out.add(points);
  }
  return out;
}

field::Matrix all_points(const io::VtkMesh& vtk) {
  field::Matrix out(vtk.point_count(), 3);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index a = 0; a < 3; ++a) out(i, a) = float(vtk.points[3 * i + a]);
  return out;
}

// For a wall whose points are the middles of the faces, all of which must be there.
bool add_patches_of_cells(field::Mesh& mesh, field::Faces faces, const field::Matrix& corners) {
  if (mesh.points.cols() != 3 || faces.size() != mesh.size() || mesh.surface.empty()) return true;
  const auto orientation = field::orient(faces, corners);
  take_patches(mesh, field::face_patches(faces, corners));
  return orientation.open == 0;
}

}  // namespace

bool add_patches(field::Mesh& mesh, field::Faces faces) {
  if (mesh.points.cols() != 3 || faces.size() == 0) return true;
  const auto orientation = field::orient(faces, mesh.points);
  std::vector<bool> on_wall(mesh.size(), false);
  if (mesh.surface.empty()) {
    for (auto corner : faces.corners) on_wall[corner] = true;
    for (Index i = 0; i < mesh.size(); ++i)
      if (on_wall[i]) mesh.surface.push_back(i);
  }
  for (auto point : mesh.surface) on_wall[point] = true;
  field::Faces wall;
  for (Index f = 0; f < faces.size(); ++f) {
    const auto first = faces.corners.begin() + faces.offsets[f],
               last = faces.corners.begin() + faces.offsets[static_cast<std::size_t>(f) + 1];
    if (std::all_of(first, last, [&](auto corner) { return on_wall[corner]; })) wall.add({first, last});
  }
  if (wall.size() == 0) return true;
  take_patches(mesh, field::point_patches(wall, mesh.points));
  return orientation.open == 0;
}

bool add_patches(field::Mesh& mesh, const io::VtkMesh& vtk, Site site) {
  if (vtk.kind == io::VtkKind::image) return true;
  return site == Site::cells ? add_patches_of_cells(mesh, cells_as_faces(vtk), all_points(vtk))
                             : add_patches(mesh, polygons(vtk));
}

field::Faces polygons(const io::VtkMesh& mesh) {
  field::Faces out;
  for (std::size_t c = 0; c < mesh.cell_types.size(); ++c) {
    const auto points = points_of(mesh, c);
    if (is_polygon(mesh.cell_types[c]) && points.size() > 2) out.add(points);
    if (mesh.cell_types[c] != io::kVtkTriangleStrip) continue;
    for (std::size_t k = 0; k + 2 < points.size(); ++k)  // every other triangle runs backwards
      out.add(k % 2 ? std::vector{points[k + 1], points[k], points[k + 2]}
                    : std::vector{points[k], points[k + 1], points[k + 2]});
  }
  return out;
}

}  // namespace fluidsplat::mesh

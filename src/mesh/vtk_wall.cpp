// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/vtk_wall.h"

#include <cmath>

#include "base/error.h"

namespace fluidsplat::mesh {

void take_wall(field::Mesh& mesh, const io::VtkArray& on_wall) {
  for (Index i = 0; i < mesh.size(); ++i)
    if (const double v = on_wall.values[i * on_wall.components]; v != 0 && !std::isnan(v)) mesh.surface.push_back(i);
}

void take_normals(field::Mesh& mesh, const io::VtkArray& normals, const std::vector<int>& axes) {
  mesh.normals.resize(std::ssize(mesh.surface), std::ssize(axes));
  for (Index s = 0; s < std::ssize(mesh.surface); ++s) {
    auto normal = mesh.normals.row(s);
    for (Index k = 0; k < std::ssize(axes); ++k) normal[k] = float(normals.values[3 * mesh.surface[s] + axes[k]]);
    // Those of unit length stay as they are, so that what was written is what is read.
    if (std::abs(normal.squaredNorm() - 1) > 1e-6f) normal.normalize();
  }
}

void take_areas(field::Mesh& mesh, const io::VtkArray& areas, const std::string& file) {
  for (auto point : mesh.surface)
    mesh.areas.push_back(
        checked_area(areas.values[point * areas.components], fmt::format("{}: \"{}\"", file, areas.name)));
}

double checked_area(double area, const std::string& label) {
  if (!(area >= 0) || std::isinf(area))
    fail("{}: {} is not the area of a part of the wall; 0 or more is needed", label, area);
  return area;
}

}  // namespace fluidsplat::mesh

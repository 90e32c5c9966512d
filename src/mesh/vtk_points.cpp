// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/vtk_points.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace fluidsplat::mesh {
namespace {

// How many values a grid has along each axis.
std::array<Index, 3> grid_counts(const io::VtkMesh& mesh, Site site) {
  std::array<Index, 3> out{};
  for (std::size_t a = 0; a < 3; ++a)
    out[a] = site == Site::cells ? std::max<Index>(1, mesh.dimensions[a] - 1) : mesh.dimensions[a];
  return out;
}

std::vector<double> image_positions(const io::VtkMesh& mesh, Site site) {
  const auto count = grid_counts(mesh, site);
  const double middle = site == Site::cells ? 0.5 : 0.0;
  std::vector<double> out;
  out.reserve(3 * count[0] * count[1] * count[2]);
  for (Index z = 0; z < count[2]; ++z)
    for (Index y = 0; y < count[1]; ++y)
      for (Index x = 0; x < count[0]; ++x) {
        const std::array<Index, 3> index = {x, y, z};
        for (std::size_t a = 0; a < 3; ++a)
          out.push_back(mesh.origin[a] +
                        (double(index[a]) + (mesh.dimensions[a] > 1 ? middle : 0.0)) * mesh.spacing[a]);
      }
  return out;
}

std::vector<double> cell_centres(const io::VtkMesh& mesh, const std::string& file) {
  std::vector<double> out;
  for (Index c = 0; c < mesh.cell_count(); ++c) {
    const auto first = mesh.offsets[c], last = mesh.offsets[static_cast<std::size_t>(c) + 1];
    if (last == first) fail("{}: cell {} has no points", file, c);
    for (Index a = 0; a < 3; ++a) {
      double sum = 0;
      for (auto i = first; i < last; ++i) sum += mesh.points[3 * mesh.connectivity[i] + a];
      out.push_back(sum / double(last - first));
    }
  }
  return out;
}

}  // namespace

std::vector<double> positions_of(const io::VtkMesh& mesh, Site site, const std::string& file) {
  auto out = mesh.kind == io::VtkKind::image ? image_positions(mesh, site)
             : site == Site::cells           ? cell_centres(mesh, file)
                                             : mesh.points;
  if (out.empty()) fail("{}: has no {}", file, site == Site::cells ? "cells" : "points");
  return out;
}

void check_extends(const Flatness& flatness, Index points, const std::string& file) {
  if (flatness.axes.size() < 2)
    fail("{}: its {} points extend along {} of the three axes; 2-D or 3-D data are needed", file, points,
         flatness.axes.size());
}

std::optional<int> axis_beside(const Flatness& flatness, const std::vector<int>& axes) {
  for (int a : flatness.axes)
    if (std::find(axes.begin(), axes.end(), a) == axes.end()) return a;
  return {};
}

field::Mesh points_of(const io::VtkMesh& mesh, const std::vector<int>& axes, Site site, const std::string& file) {
  const auto positions = positions_of(mesh, site, file);
  field::Mesh out;
  out.points.resize(std::ssize(positions) / 3, std::ssize(axes));
  for (Index i = 0; i < out.points.rows(); ++i)
    for (std::size_t k = 0; k < axes.size(); ++k) out.points(i, k) = float(positions[3 * i + axes[k]]);
  if (!mesh.is_structured()) return out;
  const auto count = grid_counts(mesh, site);
  for (int a = 2; a >= 0; --a)
    if (count[a] > 1 || std::find(axes.begin(), axes.end(), a) != axes.end()) out.grid_shape.push_back(count[a]);
  out.grid_cell.resize(out.size());
  std::iota(out.grid_cell.begin(), out.grid_cell.end(), 0);
  return out;
}

}  // namespace fluidsplat::mesh

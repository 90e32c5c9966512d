// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/vtk_points.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace fluidsplat::mesh {
namespace {

// Extents below this share of the largest are round-off of a flat mesh.
constexpr double kFlat = 1e-7;

std::array<double, 3> extents(const io::VtkMesh& mesh) {
  std::array<double, 3> out{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (mesh.kind == io::VtkKind::image) {
      out[a] = double(mesh.dimensions[a] - 1) * mesh.spacing[a];
      continue;
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = a; i < mesh.points.size(); i += 3) {
      low = std::min(low, mesh.points[i]);
      high = std::max(high, mesh.points[i]);
    }
    out[a] = mesh.points.empty() ? 0 : high - low;
  }
  return out;
}

void lay_out_image(const io::VtkMesh& mesh, const std::vector<int>& axes, Site site, field::Mesh& out) {
  const bool cells = site == Site::cells;
  std::array<Index, 3> count{};
  for (std::size_t a = 0; a < 3; ++a)
    count[a] = cells ? std::max<Index>(1, mesh.dimensions[a] - 1) : mesh.dimensions[a];
  for (auto it = axes.rbegin(); it != axes.rend(); ++it) out.grid_shape.push_back(count[*it]);
  out.points.resize(count[0] * count[1] * count[2], std::ssize(axes));
  Index i = 0;
  for (Index z = 0; z < count[2]; ++z)
    for (Index y = 0; y < count[1]; ++y)
      for (Index x = 0; x < count[0]; ++x, ++i) {
        const std::array<Index, 3> index = {x, y, z};
        for (std::size_t k = 0; k < axes.size(); ++k) {
          const std::size_t a = axes[k];
          const double at = double(index[a]) + (cells ? 0.5 : 0.0);
          out.points(i, k) = float(mesh.origin[a] + at * mesh.spacing[a]);
        }
      }
  out.grid_cell.resize(out.size());
  std::iota(out.grid_cell.begin(), out.grid_cell.end(), 0);
}

void lay_out_centres(const io::VtkMesh& mesh, const std::vector<int>& axes, const std::string& file, field::Mesh& out) {
  out.points.resize(mesh.cell_count(), std::ssize(axes));
  for (Index c = 0; c < mesh.cell_count(); ++c) {
    const auto first = mesh.offsets[c], last = mesh.offsets[static_cast<std::size_t>(c) + 1];
    if (last == first) fail("{}: cell {} has no points", file, c);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      double sum = 0;
      for (auto i = first; i < last; ++i) sum += mesh.points[3 * mesh.connectivity[i] + axes[k]];
      out.points(c, k) = float(sum / double(last - first));
    }
  }
}

// The axes along which a mesh extends.
std::vector<int> extending(const io::VtkMesh& mesh) {
  const auto extent = extents(mesh);
  const double largest = *std::max_element(extent.begin(), extent.end());
  std::vector<int> out;
  for (int a = 0; a < 3; ++a)
    if (extent[a] > kFlat * largest) out.push_back(a);
  return out;
}

}  // namespace

std::vector<int> extended_axes(const io::VtkMesh& mesh, const std::string& file) {
  auto out = extending(mesh);
  if (out.size() < 2)
    fail("{}: its {} points extend along {} of the three axes; 2-D or 3-D data are needed", file, mesh.point_count(),
         out.size());
  return out;
}

std::optional<int> axis_beside(const io::VtkMesh& mesh, const std::vector<int>& axes) {
  for (int a : extending(mesh))
    if (std::find(axes.begin(), axes.end(), a) == axes.end()) return a;
  return {};
}

field::Mesh points_of(const io::VtkMesh& mesh, const std::vector<int>& axes, Site site, const std::string& file) {
  field::Mesh out;
  if (mesh.kind == io::VtkKind::image) {
    lay_out_image(mesh, axes, site, out);
  } else if (site == Site::cells) {
    lay_out_centres(mesh, axes, file, out);
  } else {
    out.points.resize(mesh.point_count(), std::ssize(axes));
    for (Index i = 0; i < out.points.rows(); ++i)
      for (std::size_t k = 0; k < axes.size(); ++k) out.points(i, k) = float(mesh.points[3 * i + axes[k]]);
  }
  if (out.size() == 0) fail("{}: has no points", file);
  return out;
}

}  // namespace fluidsplat::mesh

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/grid_wall.h"

#include <algorithm>
#include <array>

namespace fluidsplat::importing {
namespace {

// How far normals look: far enough to smooth the stairs of a slanted wall.
constexpr Index kReach = 3;

}  // namespace

void derive_grid_wall(field::Mesh& mesh) {
  mesh.surface.clear();
  const auto dim = std::ssize(mesh.grid_shape);
  // Axes slowest first, padded to three.
  std::array<Index, 3> shape = {1, 1, 1};
  for (Index a = 0; a < dim; ++a) shape[3 - dim + a] = mesh.grid_shape[a];
  std::vector<bool> has_data(shape[0] * shape[1] * shape[2], false);
  for (auto cell : mesh.grid_cell) has_data[cell] = true;

  const auto index_of = [&](Index cell) {
    return std::array<Index, 3>{cell / (shape[1] * shape[2]), cell / shape[2] % shape[1], cell % shape[2]};
  };
  // The mean step along each axis, negative where a coordinate falls with the index (latitudes often do).
  std::array<double, 3> step = {1, 1, 1};
  for (Index a = 0; a < dim; ++a) {
    const std::size_t axis = 2 - a;  // coordinate a changes along this axis
    const auto by_index = [&](Index l, Index r) { return index_of(l)[axis] < index_of(r)[axis]; };
    const auto [first, last] = std::minmax_element(mesh.grid_cell.begin(), mesh.grid_cell.end(), by_index);
    const auto cells = index_of(*last)[axis] - index_of(*first)[axis];
    if (cells > 0)
      step[axis] = (mesh.points(last - mesh.grid_cell.begin(), a) - mesh.points(first - mesh.grid_cell.begin(), a)) /
                   double(cells);
  }
  const auto empty_at = [&](Index i, Index j, Index k) {
    if (i < 0 || j < 0 || k < 0 || i >= shape[0] || j >= shape[1] || k >= shape[2]) return false;
    return !has_data[(i * shape[1] + j) * shape[2] + k];
  };
  std::vector<std::array<double, 3>> normals;
  for (std::size_t p = 0; p < mesh.grid_cell.size(); ++p) {
    const auto [i, j, k] = index_of(mesh.grid_cell[p]);
    if (!empty_at(i - 1, j, k) && !empty_at(i + 1, j, k) && !empty_at(i, j - 1, k) && !empty_at(i, j + 1, k) &&
        !empty_at(i, j, k - 1) && !empty_at(i, j, k + 1))
      continue;
    mesh.surface.push_back(p);
    // Away from the empty cells around, the near ones counting most.
    std::array<double, 3> away = {0, 0, 0};
    const auto depth = shape[0] > 1 ? kReach : 0;
    for (Index di = -depth; di <= depth; ++di)
      for (Index dj = -kReach; dj <= kReach; ++dj)
        for (Index dk = -kReach; dk <= kReach; ++dk) {
          if (!empty_at(i + di, j + dj, k + dk)) continue;
          const std::array<double, 3> d = {double(di) * step[0], double(dj) * step[1], double(dk) * step[2]};
          const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
          for (std::size_t a = 0; a < 3; ++a) away[a] -= d[a] / (squared * squared);
        }
    normals.push_back(away);
  }
  mesh.normals.resize(std::ssize(normals), dim);
  for (std::size_t s = 0; s < normals.size(); ++s) {
    const Index row = s;
    for (Index a = 0; a < dim; ++a) mesh.normals(row, a) = float(normals[s][2 - a]);
    // A point between two walls has no direction of its own.
    const float length = mesh.normals.row(row).norm();
    if (length > 0) mesh.normals.row(row) /= length;
  }
}

}  // namespace fluidsplat::importing

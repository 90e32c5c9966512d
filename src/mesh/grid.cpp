// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/grid.h"

#include <algorithm>

#include "base/error.h"

namespace fluidsplat::mesh {

ShelledMesh make_grid(const std::vector<Index>& points, const field::Box& box) {
  const auto dim = box.low.size();
  if (points.size() != dim)
    fail("a grid of {} needs {} numbers of points, as {}; {} {} given", dim == 2 ? "plane data" : "data in space", dim,
         dim == 2 ? "400x200" : "100x80x60", points.size(), points.size() == 1 ? "is" : "are");
  constexpr Index kMost = Index{1} << 33;
  Index n = 1;
  std::vector<Ruler> rulers;
  for (std::size_t a = 0; a < dim; ++a) {
    if (points[a] < 2) fail("a grid needs at least 2 points along each axis, {} are asked for", points[a]);
    if (n > kMost / points[a])
      fail("a grid of {} points is too large, at most {} are possible", fmt::join(points, " x "), kMost);
    n *= points[a];
    rulers.push_back({box.low[a], (box.high[a] - box.low[a]) / double(points[a] - 1), points[a]});
  }
  ShelledMesh out;
  out.shell = image_shell(rulers);
  out.mesh.grid_shape = out.shell.array_shape;
  out.mesh.grid_cell = out.shell.place;
  out.mesh.points.resize(n, dim);
  for (Index i = 0; i < n; ++i) {
    Index rest = i;
    for (std::size_t a = 0; a < dim; ++a) {
      out.mesh.points(i, a) = float(rulers[a].at(rest % points[a]));
      rest /= points[a];
    }
  }
  return out;
}

std::vector<Index> grid_for(const field::Box& box, Index longest) {
  double side = 0;
  for (std::size_t a = 0; a < box.low.size(); ++a) side = std::max(side, box.high[a] - box.low[a]);
  std::vector<Index> out;
  for (std::size_t a = 0; a < box.low.size(); ++a)
    out.push_back(std::max<Index>(2, std::llround(double(longest - 1) * (box.high[a] - box.low[a]) / side) + 1));
  return out;
}

}  // namespace fluidsplat::mesh

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/ruler.h"

#include <algorithm>
#include <optional>

namespace fluidsplat::mesh {
namespace {

// Finds the ruler of one coordinate, given how many different values it may have.
std::optional<Ruler> find_ruler(const field::Mesh& mesh, Index axis, Index most) {
  std::vector<float> values(mesh.size());
  for (Index i = 0; i < mesh.points.rows(); ++i) values[i] = mesh.points(i, axis);
  std::sort(values.begin(), values.end());
  const double extent = double(values.back()) - values.front();
  if (!(extent > 0)) return Ruler{values.front(), 1, 1};
  // Values closer than a hundredth of the smallest possible step are one value with rounding.
  const double same = 0.01 * extent / double(most);
  std::vector<double> different = {values.front()};
  for (float v : values)
    if (v - different.back() > same) different.push_back(v);
  // Holes may hide whole rows: the step is the smallest gap.
  double step = extent;
  for (std::size_t i = 1; i < different.size(); ++i) step = std::min(step, different[i] - different[i - 1]);
  const auto count = std::llround(extent / step) + 1;
  if (count > most) return {};
  const Ruler ruler{values.front(), extent / double(count - 1), count};
  for (double v : different)
    if (std::abs(v - ruler.at(ruler.index(v))) > 0.02 * ruler.step) return {};
  return ruler;
}

}  // namespace

std::vector<Ruler> find_rulers(const field::Mesh& mesh) {
  if (!mesh.is_grid()) return {};
  const auto most = *std::max_element(mesh.grid_shape.begin(), mesh.grid_shape.end());
  std::vector<Ruler> out;
  for (Index a = 0; a < mesh.points.cols(); ++a) {
    const auto ruler = find_ruler(mesh, a, most);
    if (!ruler) return {};
    out.push_back(*ruler);
  }
  return out;
}

}  // namespace fluidsplat::mesh

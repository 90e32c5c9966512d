// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_grid.h"

#include <algorithm>
#include <array>

namespace fluidsplat::benchmarks {
namespace {

constexpr double kSide = 2;

struct Cell {
  Index x, y, z;
  Cell(Index cell, Index n) : x(cell % n), y(cell / n % n), z(cell / (n * n)) {}
};

// A cell's neighbours along the axes: steps in the list of cells, 0 at the edge of the grid.
struct Neighbours {
  std::array<Index, 3> below, above;
  Neighbours(const Cell& c, Index n) {
    const std::array<Index, 3> at = {c.x, c.y, c.z}, step = {1, n, n * n};
    for (int a = 0; a < 3; ++a) {
      below[a] = at[a] > 0 ? -step[a] : 0;
      above[a] = at[a] < n - 1 ? step[a] : 0;
    }
  }
};

// Means along the slowest of three axes, which becomes the fastest: three times is all axes, in their old order.
// [outer * n] -> [outer, m] where `values` is [n, outer].
std::vector<double> average_axis(const std::vector<double>& values, Index n, Index m) {
  const Index outer = std::ssize(values) / n;
  const double ratio = double(m) / double(n);  // width of a small cell in large ones
  std::vector<double> means(outer * m);
  for (Index i = 0; i < n; ++i) {
    const double begin = double(i) * ratio, end = double(i + 1) * ratio;
    const Index first = std::min(Index(begin), m - 1), second = std::min(first + 1, m - 1);
    const double in_first = second == first ? ratio : std::min(end, double(first + 1)) - begin;
    for (Index k = 0; k < outer; ++k) {
      means[k * m + first] += in_first * values[i * outer + k];
      means[k * m + second] += (ratio - in_first) * values[i * outer + k];
    }
  }
  return means;
}

std::vector<double> average(const std::vector<double>& values, Index n, Index m) {
  if (n == m) return values;
  return average_axis(average_axis(average_axis(values, n, m), n, m), n, m);
}

}  // namespace

CellAverage::CellAverage(const std::vector<std::uint8_t>& fluid, Index n, Index m) : n_(n), m_(m), fluid_(fluid) {
  fluid_share_ = average(std::vector<double>(fluid.begin(), fluid.end()), n, m);
  coarse_fluid_.resize(fluid_share_.size());
  constexpr double kHalf = 0.5 - 1e-9;  // shares are sums of fractions
  std::ranges::transform(fluid_share_, coarse_fluid_.begin(),
                         [](double share) { return std::uint8_t(share >= kHalf); });
}

std::vector<double> CellAverage::of_all(const std::vector<double>& values) const {
  return average(values, n_, m_);
}

std::vector<double> CellAverage::of_fluid(std::vector<double> values) const {
  for (Index i = 0; i < std::ssize(values); ++i)
    if (!fluid_[i]) values[i] = 0;
  auto means = average(values, n_, m_);
  for (Index i = 0; i < std::ssize(means); ++i) means[i] = any_fluid(i) ? means[i] / fluid_share_[i] : 0;
  return means;
}

field::Mesh ldc3d_mesh(const std::vector<std::uint8_t>& fluid, const std::vector<double>& distance, Index n) {
  field::Mesh mesh;
  mesh.grid_shape = {n, n, n};
  for (Index cell = 0; cell < std::ssize(fluid); ++cell)
    if (fluid[cell]) mesh.grid_cell.push_back(cell);
  mesh.points.resize(std::ssize(mesh.grid_cell), 3);
  mesh.features.resize(mesh.points.rows(), 1);
  std::vector<Eigen::RowVector3f> normals;
  const double width = kSide / double(n);
  for (Index i = 0; i < mesh.points.rows(); ++i) {
    const Index cell = mesh.grid_cell[i];
    const Cell c(cell, n);
    mesh.points.row(i) << float((double(c.x) + 0.5) * width), float((double(c.y) + 0.5) * width),
        float((double(c.z) + 0.5) * width);
    mesh.features(i, 0) = float(distance[cell]);
    const Neighbours near(c, n);
    bool at_body = false;
    Eigen::RowVector3d slope;
    for (int a = 0; a < 3; ++a) {
      at_body = at_body || !fluid[cell + near.below[a]] || !fluid[cell + near.above[a]];
      slope[a] = distance[cell + near.above[a]] - distance[cell + near.below[a]];
    }
    if (!at_body || slope.norm() == 0) continue;
    mesh.surface.push_back(i);
    normals.push_back(slope.normalized().cast<float>());
  }
  mesh.normals.resize(std::ssize(normals), 3);
  for (Index i = 0; i < std::ssize(normals); ++i) mesh.normals.row(i) = normals[i];
  return mesh;
}

}  // namespace fluidsplat::benchmarks

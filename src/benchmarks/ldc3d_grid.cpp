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

}  // namespace

CellBlocks::CellBlocks(std::vector<std::uint8_t> fluid, Index n, Index factor)
    : fluid_(std::move(fluid)), n_(n), factor_(factor) {
  fluid_cells_ = sum(std::vector<double>(n * n * n, 1), true);
  coarse_fluid_.resize(fluid_cells_.size());
  const double half = 0.5 * double(factor * factor * factor);
  std::ranges::transform(fluid_cells_, coarse_fluid_.begin(), [half](double f) { return std::uint8_t(f >= half); });
}

std::vector<double> CellBlocks::sum(std::span<const double> values, bool of_fluid) const {
  const Index m = size();
  std::vector<double> sums(m * m * m);
  for (Index z = 0, cell = 0; z < n_; ++z)
    for (Index y = 0; y < n_; ++y) {
      double* const row = sums.data() + ((z / factor_) * m + y / factor_) * m;
      for (Index x = 0; x < n_; ++x, ++cell)
        if (!of_fluid || fluid_[cell]) row[x / factor_] += values[cell];
    }
  return sums;
}

std::vector<double> CellBlocks::mean_of_all(std::span<const double> values) const {
  auto means = sum(values, false);
  for (double& mean : means) mean /= double(factor_ * factor_ * factor_);
  return means;
}

std::vector<double> CellBlocks::mean_of_fluid(std::span<const double> values) const {
  auto means = sum(values, true);
  for (Index i = 0; i < std::ssize(means); ++i) means[i] = coarse_fluid_[i] ? means[i] / fluid_cells_[i] : 0;
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

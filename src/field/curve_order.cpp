// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/curve_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace fluidsplat::field {
namespace {

constexpr int kMostAxes = 3;
using Cell = std::array<std::uint32_t, kMostAxes>;

// How far along Hilbert's curve a cell of a grid of 2^bits cells an axis is: Skilling, "Programming the Hilbert curve",
// AIP Conf. Proc. 707 (2004).
std::uint64_t along_curve(Cell x, int axes, int bits) {
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    const auto low = q - 1;
    for (int i = 0; i < axes; ++i)
      if (x[i] & q) {
        x[0] ^= low;
      } else {
        const auto t = (x[0] ^ x[i]) & low;
        x[0] ^= t;
        x[i] ^= t;
      }
  }
  for (int i = 1; i < axes; ++i) x[i] ^= x[i - 1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    if (x[axes - 1] & q) t ^= q - 1;
  std::uint64_t out = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (int i = 0; i < axes; ++i) out = out << 1 | ((x[i] ^ t) >> bit & 1);
  return out;
}

}  // namespace

std::vector<Index> curve_order(const Matrix& points) {
  const auto axes = int(points.cols());
  const int bits = axes == 1 ? 31 : 63 / axes < 31 ? 63 / axes : 31;
  const Eigen::RowVectorXf low = points.colwise().minCoeff();
  // One scale for all axes: patches are as long as they are wide.
  const double side = (points.colwise().maxCoeff() - low).maxCoeff();
  const double scale = side > 0 ? (std::ldexp(1.0, bits) - 1) / side : 0;
  std::vector<std::pair<std::uint64_t, Index>> keys(static_cast<std::size_t>(points.rows()));
  for (Index i = 0; i < points.rows(); ++i) {
    Cell cell{};
    for (int a = 0; a < axes; ++a)
      cell[std::size_t(a)] = std::uint32_t((double(points(i, a)) - double(low[a])) * scale);
    keys[std::size_t(i)] = {along_curve(cell, axes, bits), i};
  }
  std::ranges::sort(keys);
  std::vector<Index> order(keys.size());
  std::ranges::transform(keys, order.begin(), [](const auto& key) { return key.second; });
  return order;
}

Matrix reordered(const Matrix& rows, const std::vector<Index>& order) {
  return rows(order, Eigen::all);
}

Mesh reordered(const Mesh& mesh, const std::vector<Index>& order) {
  Mesh out = mesh;
  out.points = reordered(mesh.points, order);
  if (mesh.features.cols() > 0) out.features = reordered(mesh.features, order);
  for (std::size_t i = 0; i < mesh.grid_cell.size(); ++i) out.grid_cell[i] = mesh.grid_cell[std::size_t(order[i])];
  if (mesh.surface.empty()) return out;
  std::vector<Index> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) now[std::size_t(order[i])] = Index(i);
  for (auto& point : out.surface) point = now[std::size_t(point)];
  return out;
}

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/convexity.h"

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>
#include <vector>

namespace fluidsplat::field {
namespace {

// Cells of a grid as wide as a quarter of the radius stand for the points in them, so that a wide radius costs no more
// than a small one; a cell counts once however many points it has.
Matrix thinned(const Matrix& points, double cell) {
  struct Entry {
    std::vector<Index> cell;
    Index point;
  };
  const Index d = points.cols();
  const Eigen::RowVectorXf low = points.colwise().minCoeff();
  std::vector<Entry> entries;
  for (Index i = 0; i < points.rows(); ++i) {
    Entry e{std::vector<Index>(d), i};
    for (Index a = 0; a < d; ++a) e.cell[a] = Index((points(i, a) - low[a]) / cell);
    entries.push_back(std::move(e));
  }
  std::ranges::sort(entries, {}, &Entry::cell);
  Matrix out(points.rows(), d);
  Index count = 0;
  for (std::size_t first = 0, end = 0; first < entries.size(); first = end) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(d);
    for (end = first; end < entries.size() && entries[end].cell == entries[first].cell; ++end)
      sum += points.row(entries[end].point).cast<double>();
    out.row(count++) = (sum / double(end - first)).cast<float>();
  }
  out.conservativeResize(count, d);
  return out;
}

}  // namespace

Eigen::VectorXf convexity(const Matrix& points, const Matrix& normals, double radius) {
  const Matrix around = thinned(points, radius / 4);
  const nanoflann::KDTreeEigenMatrixAdaptor<Matrix, -1, nanoflann::metric_L2_Simple> tree(int(points.cols()), around,
                                                                                          12);
  Eigen::VectorXf out = Eigen::VectorXf::Zero(points.rows());
  std::vector<std::pair<Index, float>> found;
  for (Index i = 0; i < points.rows(); ++i) {
    const Eigen::RowVectorXf place = points.row(i);
    const auto count =
        tree.index->radiusSearch(place.data(), float(radius * radius), found, nanoflann::SearchParams(32, 0, false));
    if (count == 0) continue;
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(points.cols());
    for (const auto& [j, distance] : found) mean += around.row(j).cast<double>() / double(count);
    out[i] = float(normals.row(i).cast<double>().dot(place.cast<double>() - mean) / radius);
  }
  return out;
}

}  // namespace fluidsplat::field

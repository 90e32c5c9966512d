// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/nearest_wall.h"

#include <cassert>
#include <cmath>
#include <nanoflann.hpp>

namespace fluidsplat::field {

namespace {

Matrix positions(const SurfaceView& wall) {
  Matrix out(wall.size(), wall.dim());
  for (Index s = 0; s < wall.size(); ++s) out.row(s) = wall.position(s);
  return out;
}

}  // namespace

struct NearestWall::Tree {
  explicit Tree(const SurfaceView& wall) : points(positions(wall)), index(int(points.cols()), points) {}

  Matrix points;
  nanoflann::KDTreeEigenMatrixAdaptor<Matrix, -1, nanoflann::metric_L2_Simple> index;
};

NearestWall::NearestWall(const SurfaceView& wall) {
  assert(!wall.empty());
  tree_ = std::make_unique<Tree>(wall);
}

NearestWall::~NearestWall() = default;

NearestWall::Found NearestWall::operator()(const Eigen::RowVectorXf& position) const {
  Found out;
  float square = 0;
  tree_->index.query(position.data(), 1, &out.wall_point, &square);
  out.distance = std::sqrt(double(square));
  return out;
}

}  // namespace fluidsplat::field

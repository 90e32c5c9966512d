// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <functional>

#include "base/index.h"
#include "model/matrix.h"

namespace fluidsplat::classical {

// Vectors that are too many or too long to be held at once: load(i) gives the i-th, of `length` numbers, into memory
// that it may use again at the next call.
struct Snapshots {
  Index count = 0, length = 0;
  std::function<const float*(Index)> load;
};

// Proper orthogonal decomposition: snapshot t is mean + sum_j coefficients(t, j) * modes.row(j), as nearly as `rank`
// orthonormal modes allow, those with the largest coefficients first.
struct PodBasis {
  Eigen::VectorXf mean;          // [length]
  model::Matrix modes;           // [rank, length]
  Eigen::MatrixXd coefficients;  // [count, rank]
};

// With at most kSketch snapshots the result is exact.  With more it is a randomised singular value decomposition
// (Halko, Martinsson and Tropp 2011) with two power iterations: the snapshots are read seven times, one by one, and
// memory holds the modes only.
inline constexpr Index kSketch = 256;
PodBasis make_pod(const Snapshots& snapshots, Index rank);

}  // namespace fluidsplat::classical

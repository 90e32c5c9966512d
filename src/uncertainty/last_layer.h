// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <cstdint>

#include "base/index.h"
#include "model/matrix.h"

namespace fluidsplat::uncertainty {

// How unusual a network's last hidden layer h is, of what it was in training: the posterior deviation that a Laplace
// approximation gives the layer behind it,
//
//   doubt = sqrt((h, 1)' S^-1 (h, 1) / (H + 1)),    S = mean of (h, 1) (h, 1)' over training, and a ridge,
//
// which is 1 on average there.  With S = L L' it is the length of L^-1 (h, 1); random directions r keep lengths, so
// that a few products, root mean square over r' L^-1 (h, 1), stand for the whole triangle.  A scale may be any positive
// function, so what few directions get wrong costs width and no promise.
struct LastLayer {
  model::Matrix directions;  // [r, H + 1]; no rows: there is none

  bool is_on() const { return directions.rows() > 0; }
  Index width() const { return directions.cols() - 1; }
  // Of rows [n, H].
  Eigen::VectorXf doubt(const model::Matrix& hidden) const;
};

// Collects layers of training cases, each of which counts once.
class LastLayerLearner {
 public:
  void add(const model::Matrix& hidden);
  bool empty() const { return cases_ == 0; }
  // `directions` random ones, drawn from the seed; as many as the layer is wide, and one, are exact.
  LastLayer learn(Index directions, std::uint64_t seed = 1) const;

 private:
  Eigen::MatrixXd sum_;
  Index cases_ = 0;
};

}  // namespace fluidsplat::uncertainty

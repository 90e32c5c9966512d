// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/last_layer.h"

#include <cmath>

#include "base/misuse.h"
#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

// Of the mean square: what never varied in training is not endlessly unusual.
constexpr double kRidge = 1e-6;

Eigen::MatrixXd with_one(const model::Matrix& hidden) {
  Eigen::MatrixXd out(hidden.rows(), hidden.cols() + 1);
  out << hidden.cast<double>(), Eigen::VectorXd::Ones(hidden.rows());
  return out;
}

}  // namespace

Eigen::VectorXf LastLayer::doubt(const model::Matrix& hidden) const {
  if (hidden.cols() != width()) misuse("a layer of {} for directions in one of {}", hidden.cols(), width());
  const Eigen::MatrixXf products =
      (hidden * directions.leftCols(width()).transpose()).rowwise() + directions.col(width()).transpose();
  return products.rowwise().norm() / std::sqrt(float(directions.rows()));
}

void LastLayerLearner::add(const model::Matrix& hidden) {
  const auto h = with_one(hidden);
  if (empty()) sum_ = Eigen::MatrixXd::Zero(h.cols(), h.cols());
  sum_ += h.transpose() * h / double(h.rows());
  ++cases_;
}

LastLayer LastLayerLearner::learn(Index directions, std::uint64_t seed) const {
  if (empty()) misuse("no layers to learn from");
  const Index n = sum_.rows();
  Eigen::MatrixXd s = sum_ / double(cases_);
  s.diagonal().array() += kRidge * s.diagonal().mean();
  const Eigen::LLT<Eigen::MatrixXd> factor(s);
  Eigen::MatrixXd random = Eigen::MatrixXd::Identity(n, n);
  if (directions < n) {
    Random draw(seed);
    random.resize(n, directions);
    for (Index i = 0; i < random.size(); ++i) random.data()[i] = draw.normal() / std::sqrt(double(n));
  }
  // Rows r' L^-1 are the columns of L^-T r.
  factor.matrixL().transpose().solveInPlace(random);
  return {random.transpose().cast<float>()};
}

}  // namespace fluidsplat::uncertainty

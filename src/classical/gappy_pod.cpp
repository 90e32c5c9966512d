// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/gappy_pod.h"

#include <algorithm>
#include <limits>

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The expected coefficients when they are normal with this mean and covariance.
VectorXd expected(const MatrixXd& modes, const VectorXd& deviations, const VectorXd& mean, const MatrixXd& covariance,
                  double noise) {
  const MatrixXd spread = covariance * modes.transpose();
  MatrixXd gram = modes * spread;
  gram.diagonal().array() += noise;
  return mean + spread * gram.ldlt().solve(deviations - modes * mean);
}

// The summed squared error of each level of noise over the cases of one part, by the statistics of the others.
VectorXd errors_of_part(const std::vector<GappyCase>& cases, Index part, Index parts, const VectorXd& levels) {
  const Index rank = cases.front().coefficients.size();
  VectorXd mean = VectorXd::Zero(rank);
  MatrixXd covariance = MatrixXd::Zero(rank, rank);
  double others = 0;
  for (Index t = 0; t < std::ssize(cases); ++t)
    if (t % parts != part) mean += cases[t].coefficients, others += 1;
  mean /= others;
  for (Index t = 0; t < std::ssize(cases); ++t)
    if (t % parts != part) {
      const VectorXd offset = cases[t].coefficients - mean;
      covariance += offset * offset.transpose() / others;
    }
  VectorXd out = VectorXd::Zero(levels.size());
  for (Index t = part; t < std::ssize(cases); t += parts)
    for (Index i = 0; i < levels.size(); ++i)
      out[i] += (expected(cases[t].modes, cases[t].deviations, mean, covariance, levels[i]) - cases[t].coefficients)
                    .squaredNorm();
  return out;
}

}  // namespace

VectorXd GappyPod::operator()(const MatrixXd& modes, const VectorXd& deviations) const {
  return expected(modes, deviations, VectorXd::Zero(variances.size()), variances.asDiagonal(), noise);
}

GappyPod fit_gappy(const std::vector<GappyCase>& cases) {
  GappyPod out;
  out.variances = VectorXd::Zero(cases.front().coefficients.size());
  double scale = 0, readings = 0;
  for (const auto& c : cases) {
    out.variances += c.coefficients.cwiseAbs2() / double(cases.size());
    scale += c.deviations.squaredNorm();
    readings += double(c.deviations.size());
  }
  constexpr Index kLevels = 13;
  VectorXd levels(kLevels);
  for (Index i = 0; i < kLevels; ++i)
    levels[i] = scale / std::max(readings, 1.0) * std::pow(10.0, double(i) - 12) + 1e-30;
  const Index parts = std::min<Index>(5, std::ssize(cases));
  VectorXd errors = VectorXd::Zero(kLevels);
  if (parts > 1)
    for (Index part = 0; part < parts; ++part) errors += errors_of_part(cases, part, parts, levels);
  Index best = 0;
  errors.minCoeff(&best);
  out.noise = levels[best];
  return out;
}

}  // namespace fluidsplat::classical

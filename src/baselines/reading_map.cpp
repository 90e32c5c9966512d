// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/reading_map.h"

#include <cmath>
#include <limits>

namespace fluidsplat::baselines {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Mean squared difference of readings: does not grow with the number of sensors.
MatrixXd squared_distances(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd d = -2 * a * b.transpose();
  d.colwise() += a.rowwise().squaredNorm();
  d.rowwise() += b.rowwise().squaredNorm().transpose();
  return d.cwiseMax(0) / double(a.cols());
}

bool has_length(Kernel kernel) {
  return kernel == Kernel::kGaussian || kernel == Kernel::kMatern;
}

// Near 1e-12 the smallest eigenvalues of a smooth kernel are rounding.
constexpr double kSmallestRidge = 1e-12, kLargestRidge = 10;

}  // namespace

MatrixXd kernel_matrix(const KernelSettings& s, const MatrixXd& a, const MatrixXd& b) {
  if (!has_length(s.kernel)) {
    const MatrixXd product = a * b.transpose() / double(a.cols());
    // The constant stands for the intercept, the square for all products of two readings.
    if (s.kernel == Kernel::kLinear) return product.array() + 1;
    return (product.array() + 1).square();
  }
  const Eigen::ArrayXXd r2 = squared_distances(a, b).array() / (s.length * s.length);
  if (s.kernel == Kernel::kGaussian) return (-0.5 * r2).exp();
  const Eigen::ArrayXXd r = (5 * r2).sqrt();
  return (1 + r + r.square() / 3) * (-r).exp();
}

ReadingMap::ReadingMap(const KernelSettings& settings, MatrixXd readings, const MatrixXd& targets)
    : settings_(settings), readings_(std::move(readings)) {
  MatrixXd gram = kernel_matrix(settings_, readings_, readings_);
  gram.diagonal().array() += settings_.ridge;
  weights_ = gram.ldlt().solve(targets);
}

MatrixXd ReadingMap::operator()(const MatrixXd& readings) const {
  return kernel_matrix(settings_, readings, readings_) * weights_;
}

Chosen choose_settings(Kernel kernel, const MatrixXd& readings, const MatrixXd& targets) {
  Chosen best{{kernel}, std::numeric_limits<double>::infinity()};
  for (double length = 0.125; length <= 64; length *= std::sqrt(2.0)) {
    const KernelSettings at_length{kernel, length};
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(kernel_matrix(at_length, readings, readings));
    const MatrixXd& vectors = eigen.eigenvectors();
    const MatrixXd squares = vectors.cwiseAbs2(), turned = vectors.transpose() * targets;
    for (double ridge = kSmallestRidge; ridge <= kLargestRidge; ridge *= std::sqrt(10.0)) {
      const VectorXd inverse = (eigen.eigenvalues().array().max(0) + ridge).inverse();
      // Without case i the map errs there by (A^-1 Y)_i / (A^-1)_ii.
      const VectorXd diagonal = squares * inverse;
      const MatrixXd residuals = diagonal.cwiseInverse().asDiagonal() * (vectors * (inverse.asDiagonal() * turned));
      const double error = std::sqrt(residuals.rowwise().squaredNorm().mean());
      if (error < best.leave_one_out) best = {{kernel, length, ridge}, error};
    }
    if (!has_length(kernel)) break;
  }
  return best;
}

}  // namespace fluidsplat::baselines

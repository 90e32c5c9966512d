// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "base/index.h"

namespace fluidsplat::classical {

// How alike two sets of readings are.  Each makes another classical method of the same few lines: linear ridge,
// quadratic ridge (all products of two readings beside the readings), and Gaussian-process regression with a Gaussian
// or a Matern kernel, of order 5/2 or the smoother 9/2: that one follows a limit cycle through gaps better than the
// first, and stays solvable where the Gaussian does not.  Model files keep the numbers.
enum class Kernel { kLinear, kQuadratic, kGaussian, kMatern, kSmoothMatern };

// What a kernel map is regularised with.  `length` is in standard deviations of the readings; the polynomial kernels
// have none.
struct KernelSettings {
  Kernel kernel = Kernel::kMatern;
  double length = 1, ridge = 1e-8;
};

// k(a_i, b_j) for rows a_i and b_j.
Eigen::MatrixXd kernel_matrix(const KernelSettings& settings, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

// A map from readings to target vectors by kernel ridge regression.
class ReadingMap {
 public:
  // Rows are training cases: readings [T, S], targets [T, J].
  ReadingMap(const KernelSettings& settings, Eigen::MatrixXd readings, const Eigen::MatrixXd& targets);

  Index cases() const { return readings_.rows(); }
  Index targets() const { return weights_.cols(); }
  // [n, S] -> [n, J]
  Eigen::MatrixXd operator()(const Eigen::MatrixXd& readings) const;
  // One case, [S] -> [J], for loops that must not allocate; `scratch` has room for cases().
  void apply(const double* readings, double* scratch, double* targets) const;

 private:
  KernelSettings settings_;
  Eigen::MatrixXd readings_, weights_;
};

// The same map without one of its cases, whichever is asked for: what a case is predicted as from all others.
class LeftOutMap {
 public:
  LeftOutMap(const KernelSettings& settings, Eigen::MatrixXd readings, const Eigen::MatrixXd& targets);
  // [S] -> [J].  The readings may differ from those that the case had in training.
  Eigen::VectorXd operator()(Index left_out, const Eigen::VectorXd& readings) const;

 private:
  KernelSettings settings_;
  Eigen::MatrixXd readings_, inverse_, weights_;
};

struct Chosen {
  KernelSettings settings;
  double leave_one_out = 0;  // root of the mean squared error of a case's target, predicted from all other cases
};
// Length and ridge that predict each training case best from the others, found in closed form: one eigenvalue
// decomposition per length serves every ridge.  Of many cases some are asked, evenly spread.  With `noise`, which is in
// the readings' units, the case that is left out shows readings that have it.  No ridge below `smallest_ridge` is
// tried.
inline constexpr double kSmallestRidge = 1e-13;
Chosen choose_settings(Kernel kernel, const Eigen::MatrixXd& readings, const Eigen::MatrixXd& targets, double noise = 0,
                       double smallest_ridge = kSmallestRidge);
// The same for the best of several kernels.
Chosen choose_settings(const std::vector<Kernel>& kernels, const Eigen::MatrixXd& readings,
                       const Eigen::MatrixXd& targets, double noise = 0, double smallest_ridge = kSmallestRidge);

}  // namespace fluidsplat::classical

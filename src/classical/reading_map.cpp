// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/reading_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace fluidsplat::classical {
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
  return kernel != Kernel::kLinear && kernel != Kernel::kQuadratic;
}

// Of two sets of readings, by the mean of their squared differences, or of their products for kernels without a length.
double kernel_of(const KernelSettings& s, double alike) {
  switch (s.kernel) {
    // The constant stands for the intercept, the square for all products of two readings.
    case Kernel::kLinear:
      return alike + 1;
    case Kernel::kQuadratic:
      return (alike + 1) * (alike + 1);
    case Kernel::kGaussian:
      return std::exp(-0.5 * alike / (s.length * s.length));
    case Kernel::kMatern: {
      const double r = std::sqrt(5 * alike) / s.length;
      return (1 + r + r * r / 3) * std::exp(-r);
    }
    case Kernel::kSmoothMatern:
      break;
  }
  const double r = std::sqrt(9 * alike) / s.length;
  return (1 + r * (1 + r * (3.0 / 7 + r * (2.0 / 21 + r / 105)))) * std::exp(-r);
}

// Where the search begins: near 1e-12 the smallest eigenvalues of a smooth kernel are rounding.
constexpr double kFirstRidge = 1e-12, kLargestRidge = 10;
// Fifty frames of a limit cycle, read at sixteen places, want a sixteenth of a deviation.
constexpr double kShortestLength = 1.0 / 64, kLongestLength = 64;

// Two numbers are chosen, for which this many cases suffice; the time grows with their third power.
constexpr Index kMostAsked = 300;
constexpr Index kDraws = 4;  // of noise

}  // namespace

MatrixXd kernel_matrix(const KernelSettings& s, const MatrixXd& a, const MatrixXd& b) {
  const MatrixXd alike = has_length(s.kernel) ? squared_distances(a, b) : a * b.transpose() / double(a.cols());
  return alike.unaryExpr([&](double x) { return kernel_of(s, x); });
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

void ReadingMap::apply(const double* readings, double* scratch, double* targets) const {
  Eigen::Map<Eigen::ArrayXd> k(scratch, cases());
  k.setZero();
  for (Index s = 0; s < readings_.cols(); ++s)
    if (has_length(settings_.kernel))
      k += (readings_.col(s).array() - readings[s]).square();
    else
      k += readings_.col(s).array() * readings[s];
  for (double& value : k) value = kernel_of(settings_, value / double(readings_.cols()));
  Eigen::Map<VectorXd>(targets, this->targets()).noalias() = weights_.transpose() * k.matrix();
}

LeftOutMap::LeftOutMap(const KernelSettings& settings, MatrixXd readings, const MatrixXd& targets)
    : settings_(settings), readings_(std::move(readings)) {
  MatrixXd gram = kernel_matrix(settings_, readings_, readings_);
  gram.diagonal().array() += settings_.ridge;
  inverse_ = gram.ldlt().solve(MatrixXd::Identity(gram.rows(), gram.cols()));
  weights_ = inverse_ * targets;
}

// See LeaveOneOut below.
VectorXd LeftOutMap::operator()(Index i, const VectorXd& readings) const {
  const VectorXd k = kernel_matrix(settings_, readings.transpose(), readings_).transpose();
  return weights_.transpose() * k - k.dot(inverse_.col(i)) / inverse_(i, i) * weights_.row(i).transpose();
}

namespace {

// Predictions of every case from all others, for one kernel matrix K = V E V' and any ridge.
class LeaveOneOut {
 public:
  LeaveOneOut(const MatrixXd& gram, const MatrixXd& targets)
      : eigen_(gram),
        vectors_(eigen_.eigenvectors()),
        squares_(vectors_.cwiseAbs2()),
        turned_(vectors_.transpose() * targets) {}

  // Without case i the map errs there by (A^-1 Y)_i / (A^-1)_ii, A being K + ridge.
  double error(double ridge) const {
    const VectorXd inverse = inverted(ridge);
    const MatrixXd weights = vectors_ * (inverse.asDiagonal() * turned_);
    return mean_norm((squares_ * inverse).cwiseInverse().asDiagonal() * weights);
  }
  // The same when case i shows other readings x than those of training: it is predicted as (k(x) W)_i - (k(x) A^-1)_ii
  // W_i / (A^-1)_ii with the weights W = A^-1 Y.  `shown` is k(x) V.
  double error(double ridge, const MatrixXd& shown, const MatrixXd& targets) const {
    const VectorXd inverse = inverted(ridge);
    const MatrixXd weights = vectors_ * (inverse.asDiagonal() * turned_);
    const VectorXd own = (shown.cwiseProduct(vectors_) * inverse).cwiseQuotient(squares_ * inverse);
    return mean_norm(shown * (inverse.asDiagonal() * turned_) - own.asDiagonal() * weights - targets);
  }
  const MatrixXd& vectors() const { return vectors_; }

 private:
  VectorXd inverted(double ridge) const { return (eigen_.eigenvalues().array().max(0) + ridge).inverse(); }
  static double mean_norm(const MatrixXd& residuals) { return std::sqrt(residuals.rowwise().squaredNorm().mean()); }

  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen_;
  MatrixXd vectors_, squares_, turned_;
};

MatrixXd with_noise(MatrixXd readings, double noise, Index draw) {
  Random random(1, std::uint64_t(draw));
  for (double& r : readings.reshaped()) r += noise * random.normal();
  return readings;
}

// Tries one length with ridges from `low` to `high` times `factor` each.
class Trial {
 public:
  Trial(Kernel kernel, const MatrixXd& readings, const MatrixXd& targets, double noise)
      : kernel_(kernel), readings_(readings), targets_(targets), noise_(noise) {}

  void attempt(double length, double low, double high, double factor, Chosen& best) const {
    const KernelSettings at_length{kernel_, length};
    const LeaveOneOut cases(kernel_matrix(at_length, readings_, readings_), targets_);
    std::vector<MatrixXd> shown;
    for (Index draw = 0; noise_ > 0 && draw < kDraws; ++draw)
      shown.push_back(kernel_matrix(at_length, with_noise(readings_, noise_, draw), readings_) * cases.vectors());
    for (double ridge = low; ridge <= high * 1.001; ridge *= factor) {
      double error = noise_ > 0 ? 0 : cases.error(ridge);
      for (const auto& s : shown) error += cases.error(ridge, s, targets_) / double(kDraws);
      if (error < best.leave_one_out) best = {{kernel_, length, ridge}, error};
    }
  }

 private:
  Kernel kernel_;
  const MatrixXd &readings_, &targets_;
  double noise_;
};

}  // namespace

Chosen choose_settings(Kernel kernel, const MatrixXd& all_readings, const MatrixXd& all_targets, double noise,
                       double smallest_ridge) {
  std::vector<Index> asked;
  const Index step = (all_readings.rows() + kMostAsked - 1) / kMostAsked;
  for (Index t = 0; t < all_readings.rows(); t += step) asked.push_back(t);
  const MatrixXd readings = all_readings(asked, Eigen::all), targets = all_targets(asked, Eigen::all);
  const Trial trial(kernel, readings, targets, noise);
  Chosen best{{kernel}, std::numeric_limits<double>::infinity()};
  const double first = std::max(kFirstRidge, smallest_ridge);
  if (!has_length(kernel)) {
    trial.attempt(1, first, kLargestRidge, std::sqrt(10.0), best);
    return best;
  }
  // Coarsely, then between the best and its neighbours.
  for (double length = kShortestLength; length <= kLongestLength; length *= 2)
    trial.attempt(length, first, kLargestRidge, 10, best);
  const auto coarse = best.settings;
  for (const double length : {coarse.length / std::sqrt(2.0), coarse.length, coarse.length * std::sqrt(2.0)})
    trial.attempt(length, std::max(smallest_ridge, coarse.ridge / 10), coarse.ridge * 10, std::sqrt(10.0), best);
  return best;
}

Chosen choose_settings(const std::vector<Kernel>& kernels, const MatrixXd& readings, const MatrixXd& targets,
                       double noise, double smallest_ridge) {
  Chosen best{{}, std::numeric_limits<double>::infinity()};
  for (const Kernel kernel : kernels)
    if (const auto chosen = choose_settings(kernel, readings, targets, noise, smallest_ridge);
        chosen.leave_one_out < best.leave_one_out)
      best = chosen;
  return best;
}

}  // namespace fluidsplat::classical

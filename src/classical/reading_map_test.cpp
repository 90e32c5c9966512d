// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/reading_map.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;

MatrixXd random_rows(Index rows, Index columns, unsigned seed) {
  std::srand(seed);
  return MatrixXd::Random(rows, columns);
}

constexpr Kernel kAll[] = {Kernel::kLinear, Kernel::kQuadratic, Kernel::kGaussian, Kernel::kMatern,
                           Kernel::kSmoothMatern};

TEST(ReadingMap, HardlyRegularisedItGoesThroughItsPoints) {
  const MatrixXd x = random_rows(6, 8, 1), y = random_rows(6, 3, 2);
  for (const auto kernel : kAll) EXPECT_LT((ReadingMap({kernel, 1, 1e-10}, x, y)(x) - y).norm(), 1e-5) << int(kernel);
}

// The linear kernel's map is ridge regression on [1, x / sqrt(S)].
TEST(ReadingMap, TheLinearKernelIsRidgeRegression) {
  const MatrixXd x = random_rows(30, 4, 1), y = random_rows(30, 3, 2), at = random_rows(5, 4, 3);
  const auto design = [](const MatrixXd& r) {
    MatrixXd d(r.rows(), r.cols() + 1);
    d << MatrixXd::Ones(r.rows(), 1), r / std::sqrt(double(r.cols()));
    return d;
  };
  const double ridge = 0.3;
  const MatrixXd d = design(x);
  const MatrixXd weights = (d.transpose() * d + ridge * MatrixXd::Identity(5, 5)).ldlt().solve(d.transpose() * y);
  EXPECT_LT((ReadingMap({Kernel::kLinear, 1, ridge}, x, y)(at) - design(at) * weights).norm(), 1e-10);
}

TEST(ReadingMap, TheQuadraticKernelKnowsProductsOfReadings) {
  const MatrixXd x = random_rows(40, 3, 1), at = random_rows(10, 3, 2);
  const auto target = [](const MatrixXd& r) -> MatrixXd { return r.col(0).cwiseProduct(r.col(2)) - 2 * r.col(1); };
  EXPECT_LT((ReadingMap({Kernel::kQuadratic, 1, 1e-10}, x, target(x))(at) - target(at)).norm(), 1e-5);
  EXPECT_GT((ReadingMap({Kernel::kLinear, 1, 1e-10}, x, target(x))(at) - target(at)).norm(), 0.1);
}

// Their general form, with a Bessel function.
TEST(ReadingMap, MaternKernelsAreWhatTheyAreCalled) {
  const auto matern = [](double order, double distance) {
    const double x = std::sqrt(2 * order) * distance;
    return std::pow(2, 1 - order) / std::tgamma(order) * std::pow(x, order) * std::cyl_bessel_k(order, x);
  };
  for (const auto& [kernel, order] : {std::pair(Kernel::kMatern, 2.5), std::pair(Kernel::kSmoothMatern, 4.5)})
    for (const double distance : {0.01, 0.3, 1.0, 4.0}) {
      const MatrixXd at = MatrixXd::Zero(1, 1), there = MatrixXd::Constant(1, 1, 0.7 * distance);
      EXPECT_NEAR(kernel_matrix({kernel, 0.7}, at, there)(0, 0), matern(order, distance), 1e-10) << distance;
    }
}

// What the choice rests on, against leaving every case out in turn.
TEST(ReadingMap, LeaveOneOutIsWhatItSays) {
  const MatrixXd x = random_rows(15, 4, 1), y = random_rows(15, 3, 2);
  for (const auto kernel : kAll) {
    const auto chosen = choose_settings(kernel, x, y);
    double sum = 0;
    for (Index out = 0; out < 15; ++out) {
      MatrixXd rest_x(14, 4), rest_y(14, 3);
      for (Index i = 0, k = 0; i < 15; ++i)
        if (i != out) rest_x.row(k) = x.row(i), rest_y.row(k++) = y.row(i);
      sum += (ReadingMap(chosen.settings, rest_x, rest_y)(x.row(out)) - y.row(out)).squaredNorm();
    }
    EXPECT_NEAR(chosen.leave_one_out, std::sqrt(sum / 15), 1e-6 * chosen.leave_one_out) << int(kernel);
    // With next to no noise the other formula must say the same.
    EXPECT_NEAR(choose_settings(kernel, x, y, 1e-9).leave_one_out, chosen.leave_one_out, 1e-4 * chosen.leave_one_out)
        << int(kernel);
  }
}

// The same when the case that is left out shows noisy readings: the ridge that stands noise is larger, and the error
// that is promised comes true on other noise.
TEST(ReadingMap, TheChoiceForNoisyReadingsStandsThem) {
  const MatrixXd x = random_rows(60, 3, 1), y = x * random_rows(3, 2, 2);
  constexpr double kNoise = 0.3;
  const auto clean = choose_settings(Kernel::kLinear, x, y), noisy = choose_settings(Kernel::kLinear, x, y, kNoise);
  EXPECT_LT(clean.leave_one_out, 1e-4);
  EXPECT_GT(noisy.settings.ridge, 100 * clean.settings.ridge);
  const auto chosen = choose_settings(Kernel::kMatern, x, y, kNoise);
  double sum = 0;
  for (Index out = 0; out < 60; ++out) {
    MatrixXd rest_x(59, 3), rest_y(59, 2);
    for (Index i = 0, k = 0; i < 60; ++i)
      if (i != out) rest_x.row(k) = x.row(i), rest_y.row(k++) = y.row(i);
    // Uniform numbers of the same variance.
    const MatrixXd seen =
        x.row(out).replicate(20, 1) + kNoise * std::sqrt(3.0) * random_rows(20, 3, unsigned(100 + out));
    sum += (ReadingMap(chosen.settings, rest_x, rest_y)(seen).rowwise() - y.row(out)).squaredNorm() / 20;
  }
  EXPECT_NEAR(chosen.leave_one_out, std::sqrt(sum / 60), 0.1 * chosen.leave_one_out);
}

// On a smooth closed curve a kernel must find a length that predicts between the points, and noise must raise the
// ridge.
TEST(ReadingMap, TheChoiceSuitsTheData) {
  const auto curve = [](Index n, double shift) {
    MatrixXd x(n, 2), y(n, 2);
    for (Index i = 0; i < n; ++i) {
      const double a = 2 * M_PI * (double(i) + shift) / double(n);
      x.row(i) << std::cos(a), std::sin(a);
      y.row(i) << std::cos(3 * a), std::sin(2 * a);
    }
    return std::pair(x, y);
  };
  const auto [x, y] = curve(40, 0);
  const auto [at, truth] = curve(40, 0.5);
  for (const auto kernel : {Kernel::kGaussian, Kernel::kMatern, Kernel::kSmoothMatern}) {
    const auto clean = choose_settings(kernel, x, y);
    EXPECT_LT((ReadingMap(clean.settings, x, y)(at) - truth).norm() / truth.norm(), 1e-2) << int(kernel);
    if (kernel == Kernel::kSmoothMatern) continue;  // may take a longer length instead of a larger ridge
    const auto noisy = choose_settings(kernel, x, y + 0.3 * random_rows(40, 2, 5));
    EXPECT_GT(noisy.settings.ridge, 100 * clean.settings.ridge) << int(kernel);
  }
  const auto error = [&](Kernel kernel) {
    return (ReadingMap(choose_settings(kernel, x, y).settings, x, y)(at) - truth).norm();
  };
  EXPECT_LT(error(Kernel::kSmoothMatern), 0.3 * error(Kernel::kMatern)) << "between the points of a smooth curve";
}

// Readings that go forth and back many times through a target's one wave: only what lies very near is alike.
TEST(ReadingMap, LengthsMayBeShort) {
  const auto coil = [](Index n, double shift) {
    MatrixXd x(n, 2), y(n, 1);
    for (Index i = 0; i < n; ++i) {
      const double a = (double(i) + shift) / double(n);
      x.row(i) << std::cos(2 * M_PI * a), std::sin(2 * M_PI * a);
      y(i, 0) = std::cos(160 * M_PI * a);
    }
    return std::pair(x, y);
  };
  const auto [x, y] = coil(300, 0);
  const auto [at, truth] = coil(300, 0.5);
  const auto chosen = choose_settings(Kernel::kSmoothMatern, x, y, 0, 1e-3).settings;
  EXPECT_LT(chosen.length, 0.05);
  EXPECT_LT((ReadingMap(chosen, x, y)(at) - truth).norm() / truth.norm(), 0.1);
}

}  // namespace
}  // namespace fluidsplat::classical

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/gmres.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "base/random.h"

namespace fluidsplat::sim {
namespace {

RowMatrix half_and_something(Index n, double size) {
  Random random(3);
  RowMatrix a = 0.5 * RowMatrix::Identity(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) a(i, j) += size * random.uniform(-1, 1);
  return a;
}

TEST(Gmres, FindsWhatLuFinds) {
  const auto a = half_and_something(120, 0.02);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(120, -1, 2);
  const auto found = gmres(a, b, 1e-12, 100, 2);
  EXPECT_LT((found.x - a.partialPivLu().solve(b)).norm(), 1e-10 * found.x.norm());
  EXPECT_LT(found.residual, 1e-11);
  EXPECT_LT(found.iterations, 60);
  EXPECT_EQ(found.x, gmres(a, b, 1e-12, 100, 1).x) << "the bits depend on the number of threads";
}

TEST(Gmres, SaysWhenItDidNotArrive) {
  const auto a = half_and_something(120, 0.3);
  const auto found = gmres(a, Eigen::VectorXd::Ones(120), 1e-12, 5, 1);
  EXPECT_EQ(found.iterations, 5);
  EXPECT_GT(found.residual, 1e-3);
}

TEST(Gmres, EasyOnesTakeNoTime) {
  const RowMatrix a = 2 * RowMatrix::Identity(4, 4);
  EXPECT_EQ(gmres(a, Eigen::VectorXd::Zero(4), 1e-12, 10, 1).iterations, 0);
  const auto found = gmres(a, Eigen::VectorXd::Ones(4), 1e-12, 10, 1);
  EXPECT_EQ(found.iterations, 1);
  EXPECT_LT((found.x - Eigen::VectorXd::Constant(4, 0.5)).norm(), 1e-15);
}

}  // namespace
}  // namespace fluidsplat::sim

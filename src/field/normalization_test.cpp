// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/normalization.h"

#include <gtest/gtest.h>

namespace fluidsplat::field {
namespace {

Mesh line_mesh(int n) {
  Mesh mesh;
  mesh.points.resize(n, 2);
  mesh.features.resize(n, 0);
  for (int i = 0; i < n; ++i) mesh.points.row(i) << float(i), 0.0f;
  return mesh;
}

Schema two_channels() {
  Schema s;
  s.coordinates = {{"x", "m"}, {"y", "m"}};
  s.channels = {{"u", "m/s"}, {"p", "Pa"}};
  return s;
}

MemoryDataset random_dataset(int cases) {
  MemoryDataset data(two_channels());
  auto mesh = std::make_shared<const Mesh>(line_mesh(40));
  for (int i = 0; i < cases; ++i) {
    Case c;
    c.mesh = mesh;
    c.fields = Matrix::Random(40, 2);
    c.fields.col(1) = c.fields.col(1).array() * 50 + 1000 * float(i % 3);
    data.add(c);
  }
  return data;
}

TEST(Normalization, BringsTrainingDataToZeroMeanUnitSpreadAndBack) {
  const auto data = random_dataset(6);
  std::vector<Index> all = {0, 1, 2, 3, 4, 5};
  const auto n = fit_normalization(data, all);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(2), square = Eigen::VectorXd::Zero(2);
  for (auto i : all) {
    Matrix f = data.load(i).fields;
    n.channels.normalize(f);
    mean += f.cast<double>().colwise().mean().transpose() / 6;
    square += f.cast<double>().array().square().colwise().mean().matrix().transpose() / 6;
    n.channels.restore(f);
    EXPECT_LT((f - data.load(i).fields).cwiseAbs().maxCoeff(), 1e-3f);
  }
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_NEAR(square[0], 1, 1e-4);
  EXPECT_NEAR(square[1], 1, 1e-4);
}

TEST(Normalization, ConstantColumnsKeepScaleOneAndPositionsFillTheUnitBox) {
  MemoryDataset data(two_channels());
  Case c;
  auto mesh = std::make_shared<Mesh>(line_mesh(5));
  mesh->points.col(1).setLinSpaced(5, -2, 2);
  c.mesh = mesh;
  c.fields = Matrix::Constant(5, 2, 7);
  data.add(c);
  const auto n = fit_normalization(data, {0});
  EXPECT_EQ(n.channels.scale, (std::vector<float>{1, 1}));
  const auto unit = n.positions(mesh->points);
  EXPECT_EQ(unit.minCoeff(), 0);
  EXPECT_EQ(unit.maxCoeff(), 1);
}

// What sensors say on average differs far more than what they say varies: only the latter scales them.
TEST(Normalization, ReadingsAreScaledByTheirSpreadAboutTheirMeans) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Matrix a(3, 1), b(3, 1);
  a << 101, -201, nan;
  b << 99, -199, nan;
  const auto fitted = fit_readings({a, b}, {{7}, {50}});
  EXPECT_FLOAT_EQ(fitted.mean_readings(0, 0), 100);
  EXPECT_FLOAT_EQ(fitted.mean_readings(1, 0), -200);
  EXPECT_FLOAT_EQ(fitted.mean_readings(2, 0), -50) << "a silent sensor gets the mean of the others";
  EXPECT_FLOAT_EQ(fitted.scaling.scale[0], 1);
}

}  // namespace
}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/pod_basis.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::classical {
namespace {

using model::Matrix;

// Snapshots with known modes: orthogonal cosines with amplitudes that fall by `decay` from one to the next.
Matrix cosine_snapshots(Index count, Index length, Index modes, double decay) {
  Matrix out = Matrix::Constant(count, length, 3.f);
  for (Index j = 0; j < modes; ++j)
    for (Index t = 0; t < count; ++t)
      for (Index i = 0; i < length; ++i)
        out(t, i) += float(std::pow(decay, double(j)) * std::cos(2 * M_PI * double(j + 1) * double(t) / double(count)) *
                           std::cos(M_PI * double(j + 1) * (double(i) + 0.5) / double(length)));
  return out;
}

Snapshots view(const Matrix& rows) {
  return {rows.rows(), rows.cols(), [&rows](Index t) { return rows.row(t).data(); }};
}

double relative_error(const PodBasis& pod, const Matrix& rows) {
  const Matrix rebuilt = (pod.coefficients.cast<float>() * pod.modes).rowwise() + pod.mean.transpose();
  return (rebuilt - rows).norm() / (rows.rowwise() - pod.mean.transpose()).norm();
}

void expect_orthonormal(const Matrix& modes) {
  const Matrix gram = modes * modes.transpose();
  EXPECT_LT((gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(Pod, FindsKnownModesInTheirOrder) {
  const auto rows = cosine_snapshots(40, 300, 5, 0.5);
  const auto pod = make_pod(view(rows), 20);
  ASSERT_EQ(pod.modes.rows(), 5) << "what is beyond rounding is no mode";
  expect_orthonormal(pod.modes);
  EXPECT_LT(relative_error(pod, rows), 1e-5);
  for (Index j = 0; j < 5; ++j) {
    Eigen::VectorXf known(300);
    for (Index i = 0; i < 300; ++i) known(i) = float(std::cos(M_PI * double(j + 1) * (double(i) + 0.5) / 300));
    EXPECT_NEAR(std::abs(pod.modes.row(j).dot(known.normalized())), 1, 1e-4) << j;
  }
}

TEST(Pod, AFewModesAreTheBestFew) {
  const auto rows = cosine_snapshots(40, 300, 5, 0.5);
  const double rest = std::sqrt((std::pow(0.25, 2) - std::pow(0.25, 5)) / (1 - std::pow(0.25, 5)));
  EXPECT_NEAR(relative_error(make_pod(view(rows), 2), rows), rest, 1e-4);
}

TEST(Pod, ManySnapshotsBySketchingAreAsGood) {
  const Index count = 3 * kSketch;
  const auto rows = cosine_snapshots(count, 400, 30, 0.7);
  const auto pod = make_pod(view(rows), 12);
  ASSERT_EQ(pod.modes.rows(), 12);
  expect_orthonormal(pod.modes);
  const double rest = std::sqrt((std::pow(0.49, 12) - std::pow(0.49, 30)) / (1 - std::pow(0.49, 30)));
  EXPECT_NEAR(relative_error(pod, rows) / rest, 1, 1e-3);
}

TEST(Pod, OneSnapshotIsItsMean) {
  const auto rows = cosine_snapshots(1, 50, 2, 0.5);
  const auto pod = make_pod(view(rows), 4);
  EXPECT_EQ(pod.mean, rows.row(0).transpose());
  EXPECT_LT(pod.coefficients.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_TRUE(pod.modes.allFinite());
}

}  // namespace
}  // namespace fluidsplat::classical

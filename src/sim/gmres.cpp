// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/gmres.h"

#include <Eigen/Jacobi>
#include <Eigen/QR>
#include <vector>

namespace fluidsplat::sim {
namespace {

using Eigen::VectorXd;

VectorXd product(const RowMatrix& a, const VectorXd& x, int threads) {
  VectorXd y(a.rows());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index i = 0; i < a.rows(); ++i) y[i] = a.row(i).dot(x);
  return y;
}

}  // namespace

LinearSolution gmres(const RowMatrix& a, const VectorXd& b, double tolerance, Index most, int threads) {
  LinearSolution out;
  out.x = VectorXd::Zero(b.size());
  const double size = b.norm();
  if (size == 0) return out;
  std::vector<VectorXd> basis = {b / size};
  // The least-squares problem min |size e1 - H y|, with H kept upper triangular by rotations.
  Eigen::MatrixXd triangle = Eigen::MatrixXd::Zero(most + 1, most);
  VectorXd right = VectorXd::Zero(most + 1);
  right[0] = size;
  std::vector<Eigen::JacobiRotation<double>> rotations;
  for (Index k = 0; k < most && std::abs(right[k]) > tolerance * size; ++k) {
    VectorXd next = product(a, basis[k], threads);
    for (Index i = 0; i <= k; ++i) {
      triangle(i, k) = basis[i].dot(next);
      next -= triangle(i, k) * basis[i];
    }
    const double length = next.norm();
    triangle(k + 1, k) = length;
    for (Index i = 0; i < k; ++i) triangle.col(k).applyOnTheLeft(i, i + 1, rotations[i].adjoint());
    auto& rotation = rotations.emplace_back();
    rotation.makeGivens(triangle(k, k), triangle(k + 1, k));
    triangle.col(k).applyOnTheLeft(k, k + 1, rotation.adjoint());
    right.applyOnTheLeft(k, k + 1, rotation.adjoint());
    out.iterations = k + 1;
    if (length == 0) break;  // the solution is in the space already
    basis.push_back(next / length);
  }
  const Index n = out.iterations;
  const VectorXd weights = triangle.topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(right.head(n));
  for (Index i = 0; i < n; ++i) out.x += weights[i] * basis[i];
  out.residual = (b - product(a, out.x, threads)).norm() / size;
  return out;
}

}  // namespace fluidsplat::sim

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/pod_basis.h"

#include <algorithm>
#include <random>

#include "base/misuse.h"

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;
using model::Matrix;

// Products with the matrix X of deviations from the mean, one snapshot a row, in blocks of rows: a block is a product
// of matrices, which is many times faster than as many of vectors.
class Deviations {
 public:
  explicit Deviations(const Snapshots& s) : snapshots_(s), mean_(Eigen::VectorXf::Zero(s.length)) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(s.length);
    for (Index t = 0; t < s.count; ++t) sum += row(t).cast<double>();
    mean_ = (sum / double(s.count)).cast<float>();
  }
  const Eigen::VectorXf& mean() const { return mean_; }

  // left' X, for left [count, r].
  Matrix from_left(const MatrixXd& left) {
    Matrix out = Matrix::Zero(left.cols(), snapshots_.length);
    for_blocks([&](Index first, const Matrix& rows) {
      out.noalias() += left.middleRows(first, rows.rows()).transpose().cast<float>() * rows;
    });
    return out;
  }
  // X right', for right [r, length].
  MatrixXd from_right(const Matrix& right) {
    MatrixXd out(snapshots_.count, right.rows());
    for_blocks([&](Index first, const Matrix& rows) {
      out.middleRows(first, rows.rows()) = (rows * right.transpose()).cast<double>();
    });
    return out;
  }

 private:
  static constexpr Index kBlock = 32;

  Eigen::Map<const Eigen::VectorXf> row(Index t) const { return {snapshots_.load(t), snapshots_.length}; }
  void for_blocks(const std::function<void(Index first, const Matrix& rows)>& visit) const {
    for (Index first = 0; first < snapshots_.count; first += kBlock) {
      Matrix rows(std::min(kBlock, snapshots_.count - first), snapshots_.length);
      for (Index i = 0; i < rows.rows(); ++i) rows.row(i) = (row(first + i) - mean_).transpose();
      visit(first, rows);
    }
  }

  const Snapshots& snapshots_;
  Eigen::VectorXf mean_;
};

// Columns that span the same space.  Householder: safe where columns nearly depend on each other.
MatrixXd orthonormal(const MatrixXd& columns) {
  const Eigen::HouseholderQR<MatrixXd> qr(columns);
  return qr.householderQ() * MatrixXd::Identity(columns.rows(), columns.cols());
}

MatrixXd random_columns(Index rows, Index columns) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

// rows * rows' in double: singular values far below the largest survive the squaring.
MatrixXd gram_of_rows(const Matrix& rows) {
  constexpr Index kColumns = 4096;
  MatrixXd gram = MatrixXd::Zero(rows.rows(), rows.rows());
  for (Index first = 0; first < rows.cols(); first += kColumns) {
    const MatrixXd block = rows.middleCols(first, std::min(kColumns, rows.cols() - first)).cast<double>();
    gram.noalias() += block * block.transpose();
  }
  return gram;
}

}  // namespace

PodBasis make_pod(const Snapshots& snapshots, Index rank) {
  if (snapshots.count < 1 || snapshots.length < 1 || rank < 1) misuse("a POD of nothing");
  Deviations x(snapshots);
  const Index sketch = std::min(snapshots.count, kSketch);
  // Columns whose span holds the leading left singular vectors of X.
  MatrixXd left = MatrixXd::Identity(snapshots.count, sketch);
  if (sketch < snapshots.count) {
    left = orthonormal(random_columns(snapshots.count, sketch));
    for (int power = 0; power < 3; ++power) left = orthonormal(x.from_right(x.from_left(left)));
  }
  const Matrix image = x.from_left(left);  // [sketch, length]: the snapshots as the span sees them
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(gram_of_rows(image));
  const MatrixXd vectors = eigen.eigenvectors().rowwise().reverse();
  const Eigen::VectorXd values = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();

  PodBasis pod;
  pod.mean = x.mean();
  Index kept = std::min(rank, sketch);
  // Beyond float's digits of the largest, a mode is rounding.
  while (kept > 1 && values(kept - 1) < 1e-5 * values(0)) --kept;
  // Snapshots that are all alike have one mode, of zeros.
  const Eigen::VectorXd inverse = values.head(kept).unaryExpr([](double v) { return v > 0 ? 1 / v : 0; });
  pod.modes = (vectors.leftCols(kept) * inverse.asDiagonal()).transpose().cast<float>() * image;
  pod.coefficients = left * (vectors.leftCols(kept) * values.head(kept).asDiagonal());
  return pod;
}

}  // namespace fluidsplat::classical

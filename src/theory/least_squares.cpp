// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/least_squares.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"

namespace fluidsplat::theory {

Approximant fit_least_squares(const GaussianDictionary& dictionary, const Points& points,
                              const Eigen::Ref<const Matrix>& fields, double ridge) {
  if (fields.rows() != points.rows()) fail("{} values for {} points", fields.rows(), points.rows());
  const Matrix basis = observation_matrix(dictionary, points);
  Matrix gram = Matrix::Zero(basis.cols(), basis.cols());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(basis.transpose());
  const double shift = ridge * gram.diagonal().mean();
  gram.diagonal().array() += shift;
  const Eigen::LDLT<Matrix> factor(gram.selfadjointView<Eigen::Lower>());

  Approximant result;
  result.coefficients = Matrix::Zero(basis.cols(), fields.cols());
  Matrix residual = fields;
  constexpr int kRefinements = 2;
  for (int step = 0; step <= kRefinements; ++step) {
    result.coefficients += factor.solve(basis.transpose() * residual);
    residual = fields - basis * result.coefficients;
  }
  result.relative_errors = residual.colwise().norm().cwiseQuotient(fields.colwise().norm()).transpose();
  return result;
}

RateCurve approximation_curve(const Points& points, const Eigen::Ref<const Matrix>& fields,
                              const FarthestPoints& chosen, const std::vector<int>& counts, double ratio) {
  RateCurve curve;
  for (int k : counts)
    curve.add(k, fit_least_squares(nested_dictionary(points, chosen, k, ratio), points, fields).relative_errors);
  curve.finish();
  return curve;
}

namespace {

int cells_along(int pixels, double spacing, const LatticeSettings& settings) {
  return std::max(1, int(std::lround(pixels / spacing))) + 2 * settings.margin;
}

// An orthonormal basis [pixels, rank] of the span of Gaussians along one axis.
Matrix axis_basis(int pixels, double spacing, const LatticeSettings& settings) {
  const int cells = cells_along(pixels, spacing, settings);
  const double start = 0.5 * (pixels - cells * spacing);  // the lattice is centred on the axis
  Matrix values(pixels, cells);
  for (Index i = 0; i < pixels; ++i)
    for (Index k = 0; k < cells; ++k) {
      const double t = (double(i) + 0.5 - start) / spacing - double(k) - 0.5;
      values(i, k) = std::exp(-0.5 * t * t / (settings.ratio * settings.ratio));
    }
  Eigen::ColPivHouseholderQR<Matrix> qr(values);
  qr.setThreshold(1e-12);
  return qr.householderQ() * Matrix::Identity(pixels, qr.rank());
}

// Contracts the leading axis, of basis.rows() entries, and moves what is left of it behind the others: after one turn
// per axis the axes are back in order.
Vector contract(const Vector& field, const Matrix& basis) {
  const Index n = basis.rows(), rest = field.size() / n;
  const Eigen::Map<const Matrix> unrolled(field.data(), rest,
                                          n);                  // row-major [n, rest], seen as its transpose
  const Matrix coefficients = (unrolled * basis).transpose();  // column-major [rank, rest]: rank is fastest
  return Eigen::Map<const Vector>(coefficients.data(), coefficients.size());
}

}  // namespace

Vector lattice_errors(const Grid& grid, const Eigen::Ref<const Matrix>& fields, int cells,
                      const LatticeSettings& settings, int* gaussians) {
  if (fields.rows() != grid.size())
    misuse("the fields have {} values for a grid of {} pixels", fields.rows(), grid.size());
  if (cells < 1) fail("a lattice needs at least 1 cell, got {}", cells);
  const double spacing = double(*std::max_element(grid.shape().begin(), grid.shape().end())) / cells;
  std::vector<Matrix> bases;
  double count = 1;
  for (int pixels : grid.shape()) {
    bases.push_back(axis_basis(pixels, spacing, settings));
    count *= cells_along(pixels, spacing, settings);
  }
  if (gaussians) *gaussians = int(count);

  Vector errors(fields.cols());
  for (Index j = 0; j < fields.cols(); ++j) {
    Vector coefficients = fields.col(j);
    for (const Matrix& basis : bases) coefficients = contract(coefficients, basis);
    // Pythagoras; rounding leaves a floor near 1e-8.
    errors[j] = std::sqrt(std::max(0.0, 1 - coefficients.squaredNorm() / fields.col(j).squaredNorm()));
  }
  return errors;
}

RateCurve lattice_curve(const Grid& grid, const Eigen::Ref<const Matrix>& fields, const std::vector<int>& cells,
                        const LatticeSettings& settings) {
  RateCurve curve;
  for (int m : cells) {
    int count = 0;
    const Vector errors = lattice_errors(grid, fields, m, settings, &count);
    curve.add(count, errors);
  }
  curve.finish();
  return curve;
}

}  // namespace fluidsplat::theory

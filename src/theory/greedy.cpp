// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/greedy.h"

#include <Eigen/SparseCore>

#include "base/error.h"
#include "base/index.h"
#include "theory/centres.h"
#include "theory/points.h"

namespace fluidsplat::theory {
namespace {

constexpr double kNegligible = 1e-12;  // values of a Gaussian below this are not stored

struct Candidates {
  GaussianDictionary gaussians;
  Eigen::SparseMatrix<double> atoms;  // [samples, candidates], columns of unit norm
};

Candidates offer(const Points& points, const GreedySettings& settings) {
  const int count = std::min<int>(settings.candidates, int(points.rows()));
  const Points at = centres(points, farthest_points(points, count), count);
  const Box box = bounding_box(points);
  double scale = 0.5 * (box.high - box.low).maxCoeff();

  Candidates result;
  const Index total = static_cast<Index>(count) * settings.scales;
  result.gaussians = {Points(total, points.cols()), Vector(total)};
  result.atoms.resize(points.rows(), total);
  const Neighbours tree(points);
  std::vector<Neighbours::Hit> hits;
  Index column = 0;
  for (int level = 0; level < settings.scales; ++level, scale *= 0.5) {
    const double radius = scale * std::sqrt(-2 * std::log(kNegligible));
    for (int k = 0; k < count; ++k, ++column) {
      tree.within(at.row(k).data(), radius, hits);
      double squares = 0;
      for (Neighbours::Hit& hit : hits) {
        hit.squared_distance = std::exp(-hit.squared_distance / (2 * scale * scale));
        squares += hit.squared_distance * hit.squared_distance;
      }
      result.atoms.startVec(column);
      for (const Neighbours::Hit& hit : hits)
        result.atoms.insertBack(hit.index, column) = hit.squared_distance / std::sqrt(squares);
      result.gaussians.centres.row(column) = at.row(k);
      result.gaussians.scales[column] = scale;
    }
  }
  result.atoms.finalize();
  return result;
}

}  // namespace

GreedyFit fit_greedy(const Points& points, const Eigen::Ref<const Vector>& values, const GreedySettings& settings) {
  if (values.size() != points.rows()) fail("{} values for {} points", values.size(), points.rows());
  if (settings.count < 1 || settings.scales < 1) fail("a greedy fit needs at least 1 Gaussian and 1 scale");
  const Candidates candidates = offer(points, settings);

  // What is chosen is kept orthonormal (Gram-Schmidt, twice for safety): the residual is then one subtraction.
  Matrix orthonormal(points.rows(), settings.count);
  std::vector<Index> picked;
  GreedyFit fit;
  Vector residual = values;
  const double norm = values.norm();
  while (int(picked.size()) < settings.count) {
    Index best;
    const Vector overlap = (candidates.atoms.transpose() * residual).cwiseAbs();
    if (!(overlap.maxCoeff(&best) > 1e-12 * norm)) break;
    const auto k = std::ssize(picked);
    Vector direction = candidates.atoms.col(best);
    for (int pass = 0; pass < 2; ++pass)
      direction -= orthonormal.leftCols(k) * (orthonormal.leftCols(k).transpose() * direction);
    const double fresh = direction.norm();
    if (fresh < 1e-7) break;  // what is left is rounding: the best candidate depends on those chosen
    orthonormal.col(k) = direction / fresh;
    residual -= orthonormal.col(k) * orthonormal.col(k).dot(residual);
    picked.push_back(best);
    fit.relative_errors.push_back(residual.norm() / norm);
  }

  const auto count = std::ssize(picked);
  fit.chosen = {Points(count, points.cols()), Vector(count)};
  for (Index k = 0; k < count; ++k) {
    fit.chosen.centres.row(k) = candidates.gaussians.centres.row(picked[k]);
    fit.chosen.scales[k] = candidates.gaussians.scales[picked[k]];
  }
  const auto q = orthonormal.leftCols(count);
  const Matrix upper = q.transpose() * observation_matrix(fit.chosen, points);
  fit.coefficients = upper.triangularView<Eigen::Upper>().solve(q.transpose() * values);
  return fit;
}

}  // namespace fluidsplat::theory

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/least_squares_risk.h"

#include <Eigen/QR>

#include <algorithm>

#include "base/error.h"
#include "theory/gram.h"
#include "theory/least_squares.h"
#include "theory/stability.h"

namespace fluidsplat::theory {
namespace {

using Solver = Eigen::ColPivHouseholderQR<Matrix>;

Solver factor(const Matrix& observation) {
  Solver solver(observation);
  if (solver.rank() < observation.cols())
    fail("{} samples do not determine {} Gaussians (rank {}): use fewer Gaussians or more samples", observation.rows(),
         observation.cols(), solver.rank());
  return solver;
}

// trace(G (A^T A)^-1) with A P = Q R: the trace of R^-T (P^T G P) R^-1.
double trace_against(const Matrix& gram, const Solver& solver) {
  const Index k = gram.rows();
  const Matrix lower = solver.matrixR().topLeftCorner(k, k).triangularView<Eigen::Upper>().transpose();
  Matrix permuted = solver.colsPermutation().transpose() * gram * solver.colsPermutation();
  lower.triangularView<Eigen::Lower>().solveInPlace(permuted);
  Matrix both = permuted.transpose();
  lower.triangularView<Eigen::Lower>().solveInPlace(both);
  return both.trace();
}

}  // namespace

double RiskTerms::bound(double sigma) const {
  return (1 + residual_ratio / stability) * bias + volume / stability * sigma * sigma * primitives / samples;
}

RiskProblem make_risk_problem(const Box& box, int quadrature_per_axis, std::function<Vector(const Points&)> field) {
  RiskProblem problem{box, midpoint_grid(box, quadrature_per_axis), {}, std::move(field)};
  problem.values = problem.field(problem.quadrature);
  return problem;
}

RiskTerms least_squares_risk(const RiskProblem& problem, const GaussianDictionary& dictionary, const Points& samples) {
  const Matrix observation = observation_matrix(dictionary, samples);
  const Solver solver = factor(observation);
  const Matrix gram = gram_on_box(dictionary, problem.box);
  const Approximant best = fit_least_squares(dictionary, problem.quadrature, problem.values);

  RiskTerms terms;
  terms.primitives = dictionary.size();
  terms.samples = int(samples.rows());
  terms.volume = problem.box.volume();
  const double mean_square = problem.values.squaredNorm() / double(problem.values.size());
  terms.bias = terms.volume * mean_square * best.relative_errors[0] * best.relative_errors[0];
  const Vector residual = problem.field(samples) - observation * best.coefficients;
  const Vector error = solver.solve(residual);
  terms.aliasing = error.dot(gram * error);
  terms.unit_variance = trace_against(gram, solver);
  terms.stability = spectral_stability(observation, gram, terms.volume).lower;
  terms.residual_ratio = terms.volume * residual.squaredNorm() / (terms.samples * terms.bias);
  return terms;
}

double unit_variance(const GaussianDictionary& dictionary, const Box& box, const Points& samples) {
  return trace_against(gram_on_box(dictionary, box), factor(observation_matrix(dictionary, samples)));
}

double monte_carlo_variance(const GaussianDictionary& dictionary, const Box& box, const Points& samples, double sigma,
                            int trials, Random& random) {
  constexpr int kAtOnce = 64;  // noise vectors, so that memory does not grow with the trials
  const Solver solver = factor(observation_matrix(dictionary, samples));
  const Matrix gram = gram_on_box(dictionary, box);
  double sum = 0;
  for (int done = 0; done < trials; done += kAtOnce) {
    Matrix noise(samples.rows(), std::min(kAtOnce, trials - done));
    for (double& value : noise.reshaped()) value = sigma * random.normal();
    const Matrix errors = solver.solve(noise);
    sum += (gram * errors).cwiseProduct(errors).sum();
  }
  return sum / trials;
}

}  // namespace fluidsplat::theory

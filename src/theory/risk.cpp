// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/risk.h"

#include <Eigen/QR>
#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "theory/analytic_fields.h"
#include "theory/capacity.h"
#include "theory/least_squares.h"

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

double RiskCurve::minimiser(double sigma) const {
  const auto lowest = std::min_element(terms.begin(), terms.end(), [&](const RiskTerms& a, const RiskTerms& b) {
    return a.risk(sigma) < b.risk(sigma);
  });
  if (lowest == terms.begin() || lowest + 1 == terms.end()) return lowest->primitives;
  double x[3], y[3];
  for (int i = 0; i < 3; ++i) {
    const RiskTerms& t = *(lowest + i - 1);
    x[i] = std::log(t.primitives);
    y[i] = std::log(t.risk(sigma));
  }
  const double left = (y[1] - y[0]) / (x[1] - x[0]), right = (y[2] - y[1]) / (x[2] - x[1]);
  const double curvature = (right - left) / (x[2] - x[0]);
  return curvature > 0 ? std::exp(0.5 * (x[0] + x[1] - left / curvature)) : lowest->primitives;
}

double RiskCurve::predicted_minimiser(double sigma) const {
  const RiskTerms& any = terms.front();
  return balance(std::exp(bias_fit.intercept), -bias_fit.exponent, any.volume * sigma * sigma / any.samples);
}

RiskCurve risk_curve(const RiskProblem& problem, const Points& samples, const std::vector<int>& counts) {
  if (counts.size() < 3) fail("a risk curve needs three counts or more, got {}", counts.size());
  RiskCurve curve;
  std::vector<double> k, bias;
  for (int count : counts) {
    curve.terms.push_back(least_squares_risk(problem, quasi_uniform_dictionary(problem.box, count), samples));
    k.push_back(count);
    bias.push_back(curve.terms.back().bias);
  }
  curve.bias_fit = fit_rate(k, bias);
  return curve;
}

RateFit minimiser_scaling(const RiskCurve& curve, const std::vector<double>& sigmas) {
  std::vector<double> ratio, minimiser;
  for (double sigma : sigmas) {
    ratio.push_back(curve.terms.front().samples / (sigma * sigma));
    minimiser.push_back(curve.minimiser(sigma));
  }
  return fit_rate(ratio, minimiser);
}

RiskStudy study_risk(RiskStudySettings settings) {
  const int d = settings.dimension;
  if (d != 1 && d != 2) fail("the risk study exists in 1 and 2 dimensions, not {}", d);
  if (settings.samples == 0) settings.samples = d == 1 ? 1200 : 4096;
  if (settings.noise == 0) settings.noise = d == 1 ? 0.04 : 0.1;
  const std::vector<int> all = d == 1 ? std::vector<int>{8, 11, 16, 23, 32, 45, 64, 91, 128}
                                      : std::vector<int>{16, 25, 36, 49, 64, 100, 144, 196, 256};
  const int per_axis = int(std::lround(std::pow(settings.samples, 1.0 / d)));
  settings.samples = int(std::lround(std::pow(per_axis, d)));
  std::vector<int> counts;
  for (int k : all)
    if (4 * k <= settings.samples) counts.push_back(k);
  if (counts.size() < 3) fail("a risk study needs {} samples or more, got {}", 4 * all[2], settings.samples);

  const AnalyticField field = point_singularity(d, settings.power, settings.seed);
  const RiskProblem problem =
      make_risk_problem(unit_box(d), d == 1 ? 2000 : 80, [&](const Points& points) { return field.at(points); });
  Random random(settings.seed, 1);
  RiskStudy study;
  study.settings = settings;
  study.smoothness = field.smoothness;
  study.expected_scaling = d / (2 * field.smoothness + d);
  study.curve = risk_curve(problem, stratified_points(unit_box(d), per_axis, random), counts);
  for (double factor : {0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8}) study.noises.push_back(factor * settings.noise);
  study.scaling = minimiser_scaling(study.curve, study.noises);
  return study;
}

}  // namespace fluidsplat::theory

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "theory/gaussian_dictionary.h"
#include "theory/rate_fit.h"

namespace fluidsplat::theory {

// The terms of E ||f - f_hat||^2 for ordinary least squares with a fixed dictionary of K Gaussians, from N samples with
// independent noise of standard deviation sigma.  Only the variance depends on sigma, as sigma^2.
struct RiskTerms {
  int primitives = 0, samples = 0;
  double volume = 1;
  double bias = 0;            // ||f - f*||^2, f* the best combination
  double aliasing = 0;        // what the residual f - f* at the samples adds to the coefficients' error
  double unit_variance = 0;   // trace(G (A^T A)^-1): the variance for sigma = 1
  double stability = 0;       // c_s
  double residual_ratio = 0;  // C_r: mean square of f - f* at the samples over its mean square in the domain

  double variance(double sigma) const { return sigma * sigma * unit_variance; }
  double risk(double sigma) const { return bias + aliasing + variance(sigma); }
  // The paper's bound: (1 + C_r / c_s) bias + volume / c_s * sigma^2 K / N.
  double bound(double sigma) const;
};

// A field on a box, with the midpoint rule that measures it.
struct RiskProblem {
  Box box;
  Points quadrature;
  Vector values;  // of the field at the quadrature points
  std::function<Vector(const Points&)> field;
};

RiskProblem make_risk_problem(const Box& box, int quadrature_per_axis, std::function<Vector(const Points&)> field);

// Exact in the noise (no sampling).  An Error when the samples do not determine the coefficients.
RiskTerms least_squares_risk(const RiskProblem& problem, const GaussianDictionary& dictionary, const Points& samples);

// trace(G (A^T A)^-1), the variance alone.
double unit_variance(const GaussianDictionary& dictionary, const Box& box, const Points& samples);

// Mean of ||f_hat - E f_hat||^2 over `trials` draws of noise, fitted for real: the empirical variance.
double monte_carlo_variance(const GaussianDictionary& dictionary, const Box& box, const Points& samples, double sigma,
                            int trials, Random& random);

// The U-shaped risk of least squares over the number of Gaussians, for one field and one set of samples.
struct RiskCurve {
  std::vector<RiskTerms> terms;  // by increasing K
  RateFit bias_fit;              // of the squared bias over K: exponent near -2s/d

  // The count of least risk, between the tabulated ones (a parabola in log-log through the three lowest).
  double minimiser(double sigma) const;
  // K* with this curve's own constants: the minimiser of the fitted bias plus volume * sigma^2 K / N.
  double predicted_minimiser(double sigma) const;
};

RiskCurve risk_curve(const RiskProblem& problem, const Points& samples, const std::vector<int>& counts);

// log K_min over log(N / sigma^2): the theory says d / (2s + d).
RateFit minimiser_scaling(const RiskCurve& curve, const std::vector<double>& sigmas);

struct RiskStudySettings {
  int dimension = 1;
  double power = 0.5;  // the field is a point singularity: s = power + d/2
  int samples = 0;     // rounded to a whole number per axis; 0: 1200 in 1-D, 4096 in 2-D
  double noise = 0;    // of a sample; 0: a value that puts the minimum in the middle of the table
  std::uint64_t seed = 3;
};

// Least squares with noisy samples of a field of known smoothness: the U-shaped risk, its minimum against K*, and how
// the minimum moves with N / sigma^2.
struct RiskStudy {
  RiskStudySettings settings;  // with defaults resolved
  double smoothness = 0;
  RiskCurve curve;
  std::vector<double> noises;   // for the scaling
  RateFit scaling;              // of the minimiser over N / sigma^2
  double expected_scaling = 0;  // d / (2s + d)
};

RiskStudy study_risk(RiskStudySettings settings = {});

}  // namespace fluidsplat::theory

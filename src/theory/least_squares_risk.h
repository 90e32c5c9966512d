// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "theory/gaussian_dictionary.h"

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

}  // namespace fluidsplat::theory

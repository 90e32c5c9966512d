// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/variance_study.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "base/misuse.h"
#include "theory/risk.h"

namespace fluidsplat::theory {
namespace {

// Fine against the narrowest Gaussians of the study, whose integrand is smooth.
constexpr int kQuadraturePerAxis = 80;

// Adds one cell per noise level; they share the drawings of the samples.
void draw(const GaussianDictionary& dictionary, const Box& box, int per_axis, const VarianceSettings& settings,
          VarianceCell cell, std::vector<VarianceCell>& cells) {
  Random random(settings.seed, cell.primitives, per_axis);
  const Matrix gram = gram_on_box(dictionary, box);
  const int trials = std::max(1, settings.draws / (cell.primitives * settings.drawings));
  const double unit = double(cell.primitives) / cell.samples, share = 1.0 / settings.drawings;
  std::vector<double> ratios(settings.noise.size(), 0.0);
  cell.stability = std::numeric_limits<double>::infinity();
  for (int drawing = 0; drawing < settings.drawings; ++drawing) {
    const Points samples =
        settings.stratified ? stratified_points(box, per_axis, random) : uniform_points(box, cell.samples, random);
    cell.exact_ratio += share * unit_variance(dictionary, box, samples) / unit;
    cell.stability =
        std::min(cell.stability, spectral_stability(observation_matrix(dictionary, samples), gram, box.volume()).lower);
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const double sigma = settings.noise[i];
      ratios[i] +=
          share * monte_carlo_variance(dictionary, box, samples, sigma, trials, random) / (sigma * sigma * unit);
    }
  }
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    cell.noise = settings.noise[i];
    cell.ratio = ratios[i];
    cells.push_back(cell);
  }
}

}  // namespace

bool VarianceCell::plentiful() const {
  return samples >= kPlenty * primitives * std::log(primitives);
}

Inflation sampling_inflation(const GaussianDictionary& dictionary, const Box& box, int samples) {
  const Eigen::LLT<Matrix> gram(gram_on_box(dictionary, box));
  if (gram.info() != Eigen::Success)
    fail("the {} Gaussians are dependent in double precision: make them narrower", dictionary.size());
  const Matrix basis = observation_matrix(dictionary, midpoint_grid(box, kQuadraturePerAxis)).transpose();
  const Vector kappa = gram.matrixL().solve(basis).colwise().squaredNorm();
  const double k = dictionary.size(), scaled = box.volume() * box.volume() * kappa.array().square().mean();
  return {1 + (scaled / k - 1) / samples, std::sqrt(std::max(0.0, scaled / (k * k) - 1) / samples)};
}

std::vector<VarianceCell> study_variance(const VarianceSettings& settings) {
  const Box box = unit_box(settings.dimension);
  std::vector<VarianceCell> cells;
  for (int k : settings.primitives) {
    const GaussianDictionary dictionary = quasi_uniform_dictionary(box, k);
    for (int per_axis : settings.samples_per_axis) {
      VarianceCell cell;
      cell.primitives = k;
      cell.samples = int(std::lround(std::pow(per_axis, settings.dimension)));
      cell.stratified = settings.stratified;
      const Inflation inflation = sampling_inflation(dictionary, box, cell.samples);
      cell.inflation = inflation.expected;
      cell.luck = inflation.deviation;
      draw(dictionary, box, per_axis, settings, cell, cells);
    }
  }
  return cells;
}

std::vector<VarianceCell> plentiful(const std::vector<VarianceCell>& cells) {
  std::vector<VarianceCell> chosen;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(chosen), std::mem_fn(&VarianceCell::plentiful));
  return chosen;
}

double relative_range(const std::vector<VarianceCell>& cells) {
  if (cells.empty()) misuse("the variance study is empty");
  double low = cells[0].ratio, high = low, sum = 0;
  for (const VarianceCell& cell : cells) {
    low = std::min(low, cell.ratio);
    high = std::max(high, cell.ratio);
    sum += cell.ratio;
  }
  return (high - low) * double(cells.size()) / sum;
}

}  // namespace fluidsplat::theory

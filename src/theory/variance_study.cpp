// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/variance_study.h"

#include <algorithm>

#include "base/error.h"
#include "theory/gram.h"
#include "theory/least_squares_risk.h"
#include "theory/stability.h"

namespace fluidsplat::theory {

std::vector<VarianceCell> study_variance(const VarianceSettings& settings) {
  const Box box = unit_box(settings.dimension);
  std::vector<VarianceCell> cells;
  for (int k : settings.primitives) {
    const GaussianDictionary dictionary = quasi_uniform_dictionary(box, k);
    const Matrix gram = gram_on_box(dictionary, box);
    for (int per_axis : settings.samples_per_axis) {
      Random random(settings.seed, static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(per_axis));
      const int n = static_cast<int>(std::lround(std::pow(per_axis, settings.dimension)));
      const Points samples =
          settings.stratified ? stratified_points(box, per_axis, random) : uniform_points(box, n, random);
      const double stability =
          spectral_stability(observation_matrix(dictionary, samples), gram, box.volume()).lower;
      for (double sigma : settings.noise) {
        const int trials = std::max(1, settings.draws / k);
        const double variance =
            sigma * sigma * monte_carlo_variance(dictionary, box, samples, trials, random);
        cells.push_back({k, n, sigma, variance / (sigma * sigma * k / n), stability});
      }
    }
  }
  return cells;
}

double spread(const std::vector<VarianceCell>& cells) {
  if (cells.empty()) fail("the variance study is empty");
  double low = cells[0].ratio, high = low, sum = 0;
  for (const VarianceCell& cell : cells) {
    low = std::min(low, cell.ratio);
    high = std::max(high, cell.ratio);
    sum += cell.ratio;
  }
  return (high - low) * static_cast<double>(cells.size()) / sum;
}

}  // namespace fluidsplat::theory

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/smoothness.h"

#include <algorithm>
#include <numbers>

#include "base/error.h"
#include "theory/least_squares.h"
#include "theory/spectrum.h"

namespace fluidsplat::theory {

std::optional<SmoothnessEstimate> smoothness_from_spectrum(const Grid& grid, const Eigen::Ref<const Matrix>& fields,
                                                           double noise) {
  const Spectrum spectrum = isotropic_spectrum(grid, fields);
  std::vector<double> frequency, energy;
  for (std::size_t b = 0; b < spectrum.energy.size(); ++b) {
    if (spectrum.energy[b] <= 2 * spectrum.noise_energy(noise, b) || !(spectrum.energy[b] > 0)) break;
    frequency.push_back(spectrum.frequency[b]);
    energy.push_back(spectrum.energy[b]);
  }
  if (frequency.size() < 3) return std::nullopt;
  SmoothnessEstimate estimate;
  estimate.method = "spectrum";
  estimate.fit = fit_rate(frequency, energy);
  const auto smoothness = [](double slope) { return 0.5 * (-slope - 1); };
  estimate.smoothness = smoothness(estimate.fit.exponent);
  estimate.low = smoothness(estimate.fit.high);
  estimate.high = smoothness(estimate.fit.low);
  return estimate;
}

SmoothnessEstimate smoothness_from_rates(const Points& points, const Eigen::Ref<const Matrix>& fields, int max_points) {
  if (fields.rows() != points.rows()) fail("the fields have {} values for {} points", fields.rows(), points.rows());
  constexpr int kFewest = 256;
  const int used = std::min<int>(max_points, int(points.rows()));
  if (used < kFewest) fail("a rate needs {} points or more, got {}", kFewest, used);
  // Nested order serves twice: its prefix thins the points, and a shorter prefix gives the centres.
  const FarthestPoints chosen = farthest_points(points, used);
  const Points thinned = centres(points, chosen, used);
  const Box box = bounding_box(thinned);
  Matrix tapered(used, fields.cols());
  for (int i = 0; i < used; ++i) {
    double weight = 1;
    for (int axis = 0; axis < box.dimension(); ++axis) {
      const double t = (thinned(i, axis) - box.low[axis]) / std::max(box.high[axis] - box.low[axis], 1e-300);
      weight *= std::pow(std::sin(std::numbers::pi * t), 2);
    }
    tapered.row(i) = weight * fields.row(chosen.order[i]);
  }
  // From counts that see the field's shape to one Gaussian per 8 points, beyond which samples do not measure it.
  std::vector<int> counts;
  for (int k = used / 8; k >= 16 && counts.size() < 5; k = int(k / std::numbers::sqrt2))
    counts.insert(counts.begin(), k);
  FarthestPoints prefix{{}, chosen.fill};
  for (int i = 0; i < used; ++i) prefix.order.push_back(i);

  SmoothnessEstimate estimate;
  estimate.method = "rates";
  estimate.fit = approximation_curve(thinned, tapered, prefix, counts).fit;
  const double d = double(points.cols());
  estimate.smoothness = -d * estimate.fit.exponent;
  estimate.low = -d * estimate.fit.high;
  estimate.high = -d * estimate.fit.low;
  return estimate;
}

}  // namespace fluidsplat::theory

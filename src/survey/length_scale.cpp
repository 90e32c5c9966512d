// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "survey/length_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "field/normalization.h"

namespace fluidsplat::survey {
namespace {

constexpr Index kCases = 6, kAnchors = 200, kPoints = 40000;
constexpr int kBins = 48;
constexpr double kLeast = 1e-3;  // the shortest distance that is told apart

// Bins of equal ratio from kLeast to 1.
int bin_of(double distance) {
  if (distance <= kLeast) return 0;
  return std::min(kBins - 1, int(kBins * (1 - std::log(distance) / std::log(kLeast))));
}

double distance_of(int bin) {
  return std::pow(kLeast, 1 - (bin + 0.5) / kBins);
}

// The distance of a point to its nearest neighbour, for the middle one of some points.
double median_spacing(const field::Matrix& unit) {
  constexpr Index kAsked = 51;
  const auto n = unit.rows();
  std::vector<float> nearest;
  for (Index a = 0; a < std::min<Index>(kAsked, n); ++a) {
    const Index anchor = a * n / std::min<Index>(kAsked, n);
    float least = std::numeric_limits<float>::infinity();
    for (Index p = 0; p < n; ++p) {
      const float squared = (unit.row(p) - unit.row(anchor)).squaredNorm();
      if (squared > 0) least = std::min(least, squared);  // a mesh may hold a point twice
    }
    nearest.push_back(least);
  }
  const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
  std::nth_element(nearest.begin(), middle, nearest.end());
  return std::isfinite(*middle) ? std::sqrt(*middle) : 1;
}

}  // namespace

LengthScales measure_length_scales(const field::Dataset& dataset) {
  field::Normalization box;
  box.domain = dataset.domain();
  const auto channels = std::ssize(dataset.schema().channels);
  std::vector<std::array<double, kBins>> square(channels), count = square;
  std::vector<double> variance(channels, 0.0);
  for (auto& s : square) s.fill(0);
  for (auto& c : count) c.fill(0);
  LengthScales out;
  const auto cases = std::min(dataset.size(), kCases);
  for (Index k = 0; k < cases; ++k) {
    const auto c = dataset.load(k * dataset.size() / cases);
    const field::Matrix unit = box.positions(c.mesh->points);
    const auto n = unit.rows(), stride = std::max<Index>(1, n / kPoints);
    if (k == 0) out.spacing = median_spacing(unit);
    const Eigen::RowVectorXf mean = c.fields.colwise().mean();
    for (Index j = 0; j < channels; ++j)
      variance[j] += (c.fields.col(j).array() - mean[j]).square().mean() / double(cases);
    Random random(1, k);
    for (Index a = 0; a < std::min<Index>(kAnchors, n); ++a) {
      const Index anchor = random.below(n);
      // A different subset for every anchor, so that near neighbours are met on fine meshes too.
      for (Index p = random.below(stride); p < n; p += stride) {
        if (p == anchor) continue;
        const std::size_t bin = bin_of((unit.row(p) - unit.row(anchor)).norm());
        for (Index j = 0; j < channels; ++j) {
          const double d = c.fields(p, j) - c.fields(anchor, j);
          square[j][bin] += d * d;
          count[j][bin] += 1;
        }
      }
    }
  }
  out.correlation = 1;
  for (std::size_t j = 0; j < variance.size(); ++j) {
    if (!(variance[j] > 0)) continue;
    for (int b = 0; b < kBins; ++b) {
      const std::size_t bin = b;
      // Far points differ by twice the variance; too few pairs tell nothing.
      if (count[j][bin] < 50 || square[j][bin] / count[j][bin] < variance[j]) continue;
      out.correlation = std::min(out.correlation, distance_of(b));
      break;
    }
  }
  return out;
}

}  // namespace fluidsplat::survey

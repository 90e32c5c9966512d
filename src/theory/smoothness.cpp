// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/smoothness.h"

#include <algorithm>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"
#include "theory/least_squares.h"

namespace fluidsplat::theory {
namespace {

using Complex = std::complex<double>;

void transform_axis(const Grid& grid, int axis, Eigen::FFT<double>& fft, std::vector<Complex>& field) {
  const std::size_t n = grid.shape()[axis];
  const std::size_t stride = grid.stride(axis);
  std::vector<Complex> line(n), out(n);
  for (Index start = 0; start < grid.size(); ++start) {
    if (grid.coordinate(start, axis) != 0) continue;
    Complex* first = field.data() + start;
    for (std::size_t i = 0; i < n; ++i) line[i] = first[i * stride];
    fft.fwd(out, line);
    for (std::size_t i = 0; i < n; ++i) first[i * stride] = out[i];
  }
}

Vector taper(const Grid& grid) {
  Vector weights = Vector::Ones(grid.size());
  for (Index pixel = 0; pixel < grid.size(); ++pixel)
    for (int axis = 0; axis < grid.dimension(); ++axis) {
      const double t = (grid.coordinate(pixel, axis) + 0.5) / grid.shape()[axis];
      weights[pixel] *= grid.valid(pixel) ? std::pow(std::sin(std::numbers::pi * t), 4) : 0;
    }
  return weights;
}

// |frequency| of a Fourier coefficient, in cycles per pixel.
double frequency_of(const Grid& grid, Index coefficient) {
  double squared = 0;
  for (int axis = 0; axis < grid.dimension(); ++axis) {
    const int n = grid.shape()[axis], k = grid.coordinate(coefficient, axis);
    const double f = double(std::min(k, n - k)) / n;
    squared += f * f;
  }
  return std::sqrt(squared);
}

}  // namespace

Spectrum isotropic_spectrum(const Grid& grid, const Eigen::Ref<const Matrix>& fields, int bands) {
  if (fields.rows() != grid.size() || fields.cols() == 0)
    misuse("a spectrum needs fields with {} values each, got {} of {}", grid.size(), fields.cols(), fields.rows());
  const int shortest = *std::min_element(grid.shape().begin(), grid.shape().end());
  if (shortest < 32) fail("a spectrum needs 32 pixels or more along each axis; the shortest has {}", shortest);
  const double lowest = 4.0 / shortest, highest = 0.25, step = std::log(highest / lowest) / bands;

  const Vector weights = taper(grid);
  Vector power = Vector::Zero(grid.size());
  Eigen::FFT<double> fft;
  std::vector<Complex> field(grid.size());
  for (Index j = 0; j < fields.cols(); ++j) {
    for (Index i = 0; i < grid.size(); ++i) field[i] = weights[i] > 0 ? weights[i] * fields(i, j) : 0.0;
    for (int axis = 0; axis < grid.dimension(); ++axis) transform_axis(grid, axis, fft, field);
    for (Index i = 0; i < grid.size(); ++i) power[i] += std::norm(field[i]) / double(fields.cols());
  }

  std::vector<double> sum(bands), count(sum.size());
  for (Index i = 0; i < grid.size(); ++i) {
    const double band = std::floor(std::log(frequency_of(grid, i) / lowest) / step);
    if (!(band >= 0 && band < bands)) continue;
    sum[Index(band)] += power[i];
    count[Index(band)] += 1;
  }
  Spectrum spectrum;
  for (std::size_t b = 0; b < sum.size(); ++b) {
    if (count[b] == 0) continue;
    const double f = lowest * std::exp((double(b) + 0.5) * step);
    const double shell = std::pow(f, grid.dimension() - 1);  // the surface of the sphere |frequency| = f
    spectrum.frequency.push_back(f);
    spectrum.energy.push_back(sum[b] / count[b] * shell);
    spectrum.unit_noise.push_back(weights.squaredNorm() * shell);
  }
  return spectrum;
}

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
  if (fields.rows() != points.rows()) misuse("the fields have {} values for {} points", fields.rows(), points.rows());
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

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/spectrum.h"

#include <algorithm>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

using Complex = std::complex<double>;

void transform_axis(const Grid& grid, int axis, Eigen::FFT<double>& fft, std::vector<Complex>& field) {
  const auto n = static_cast<std::size_t>(grid.shape()[static_cast<std::size_t>(axis)]);
  const auto stride = static_cast<std::size_t>(grid.stride(axis));
  std::vector<Complex> line(n), out(n);
  for (Eigen::Index start = 0; start < grid.size(); ++start) {
    if (grid.coordinate(start, axis) != 0) continue;
    Complex* first = field.data() + start;
    for (std::size_t i = 0; i < n; ++i) line[i] = first[i * stride];
    fft.fwd(out, line);
    for (std::size_t i = 0; i < n; ++i) first[i * stride] = out[i];
  }
}

Vector taper(const Grid& grid) {
  Vector weights = Vector::Ones(grid.size());
  for (Eigen::Index pixel = 0; pixel < grid.size(); ++pixel)
    for (int axis = 0; axis < grid.dimension(); ++axis) {
      const double t = (grid.coordinate(pixel, axis) + 0.5) / grid.shape()[static_cast<std::size_t>(axis)];
      weights[pixel] *= grid.valid(pixel) ? std::pow(std::sin(std::numbers::pi * t), 4) : 0;
    }
  return weights;
}

// |frequency| of a Fourier coefficient, in cycles per pixel.
double frequency_of(const Grid& grid, Eigen::Index coefficient) {
  double squared = 0;
  for (int axis = 0; axis < grid.dimension(); ++axis) {
    const int n = grid.shape()[static_cast<std::size_t>(axis)], k = grid.coordinate(coefficient, axis);
    const double f = static_cast<double>(std::min(k, n - k)) / n;
    squared += f * f;
  }
  return std::sqrt(squared);
}

}  // namespace

Spectrum isotropic_spectrum(const Grid& grid, const Eigen::Ref<const Matrix>& fields, int bands) {
  if (fields.rows() != grid.size() || fields.cols() == 0)
    fail("a spectrum needs fields with {} values each, got {} of {}", grid.size(), fields.cols(),
         fields.rows());
  const int shortest = *std::min_element(grid.shape().begin(), grid.shape().end());
  if (shortest < 32)
    fail("a spectrum needs 32 pixels or more along each axis; the shortest has {}", shortest);
  const double lowest = 4.0 / shortest, highest = 0.25, step = std::log(highest / lowest) / bands;

  const Vector weights = taper(grid);
  Vector power = Vector::Zero(grid.size());
  Eigen::FFT<double> fft;
  std::vector<Complex> field(static_cast<std::size_t>(grid.size()));
  for (Eigen::Index j = 0; j < fields.cols(); ++j) {
    for (Eigen::Index i = 0; i < grid.size(); ++i)
      field[static_cast<std::size_t>(i)] = weights[i] > 0 ? weights[i] * fields(i, j) : 0.0;
    for (int axis = 0; axis < grid.dimension(); ++axis) transform_axis(grid, axis, fft, field);
    for (Eigen::Index i = 0; i < grid.size(); ++i)
      power[i] += std::norm(field[static_cast<std::size_t>(i)]) / static_cast<double>(fields.cols());
  }

  std::vector<double> sum(static_cast<std::size_t>(bands)), count(sum.size());
  for (Eigen::Index i = 0; i < grid.size(); ++i) {
    const double band = std::floor(std::log(frequency_of(grid, i) / lowest) / step);
    if (!(band >= 0 && band < bands)) continue;
    sum[static_cast<std::size_t>(band)] += power[i];
    count[static_cast<std::size_t>(band)] += 1;
  }
  Spectrum spectrum;
  for (std::size_t b = 0; b < sum.size(); ++b) {
    if (count[b] == 0) continue;
    const double f = lowest * std::exp((static_cast<double>(b) + 0.5) * step);
    const double shell = std::pow(f, grid.dimension() - 1);  // the surface of the sphere |frequency| = f
    spectrum.frequency.push_back(f);
    spectrum.energy.push_back(sum[b] / count[b] * shell);
    spectrum.unit_noise.push_back(weights.squaredNorm() * shell);
  }
  return spectrum;
}

}  // namespace fluidsplat::theory

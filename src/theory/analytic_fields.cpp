// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/analytic_fields.h"

#include <array>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

constexpr double kPi = std::numbers::pi;

// Falls to zero at the boundary with three derivatives: smoother than any field here that is not smooth.
double window(const double* x, int d) {
  double product = 1;
  for (int axis = 0; axis < d; ++axis) product *= std::sin(kPi * x[axis]);
  return std::pow(product, 4);
}

void check_dimension(int d) {
  if (d < 1 || d > 3) fail("analytic fields exist in 1, 2 and 3 dimensions, not {}", d);
}

struct Wave {
  double frequency[3];
  double amplitude, phase;
};

// One of each pair k, -k: the first non-zero entry is positive.
bool leads_its_pair(const int* k) {
  for (int axis = 0; axis < 3; ++axis)
    if (k[axis] != 0) return k[axis] > 0;
  return false;
}

}  // namespace

Vector AnalyticField::at(const Points& points) const {
  Vector values(points.rows());
  for (Index i = 0; i < points.rows(); ++i) values[i] = value(points.row(i).data());
  return values;
}

Matrix sample(const std::vector<AnalyticField>& fields, const Points& points) {
  Matrix values(points.rows(), std::ssize(fields));
  for (std::size_t j = 0; j < fields.size(); ++j) values.col(j) = fields[j].at(points);
  return values;
}

AnalyticField point_singularity(int dimension, double power, std::uint64_t seed) {
  check_dimension(dimension);
  if (!(power > -0.5 * dimension)) fail("|x|^{} is not square-integrable in {} dimensions", power, dimension);
  if (std::fmod(power, 2) == 0) fail("|x|^{} is a polynomial; a singular power is not an even integer", power);
  Random random(seed);
  std::array<double, 3> centre;
  for (double& c : centre) c = random.uniform(0.4, 0.6);
  return {fmt::format("|x|^{:g} in {}-D", power, dimension), dimension, power + 0.5 * dimension, [=](const double* x) {
            double squared = 0;
            for (int axis = 0; axis < dimension; ++axis) squared += (x[axis] - centre[axis]) * (x[axis] - centre[axis]);
            return std::pow(squared, 0.5 * power) * window(x, dimension);
          }};
}

AnalyticField random_series(int dimension, double smoothness, int max_frequency, std::uint64_t seed) {
  check_dimension(dimension);
  Random random(seed);
  std::vector<Wave> waves;
  const int m = max_frequency, m1 = dimension > 1 ? m : 0, m2 = dimension > 2 ? m : 0;
  for (int a = 0; a <= m; ++a)
    for (int b = -m1; b <= m1; ++b)
      for (int c = -m2; c <= m2; ++c) {
        const int k[3] = {a, b, c};
        const double length = std::sqrt(a * a + b * b + c * c);
        if (length > m || !leads_its_pair(k)) continue;
        waves.push_back({{2 * kPi * a, 2 * kPi * b, 2 * kPi * c},
                         std::pow(length, -smoothness - 0.5 * dimension),
                         random.uniform(0, 2 * kPi)});
      }
  return {fmt::format("series s = {:g} in {}-D", smoothness, dimension), dimension, smoothness, [=](const double* x) {
            double sum = 0;
            for (const Wave& wave : waves) {
              double angle = wave.phase;
              for (int axis = 0; axis < dimension; ++axis) angle += wave.frequency[axis] * x[axis];
              sum += wave.amplitude * std::cos(angle);
            }
            return sum * window(x, dimension);
          }};
}

AnalyticField smooth_wave(int dimension) {
  check_dimension(dimension);
  return {fmt::format("wave in {}-D", dimension), dimension, std::numeric_limits<double>::infinity(),
          [=](const double* x) {
            double phase = 0.4;
            for (int axis = 0; axis < dimension; ++axis) phase += (5 - axis) * x[axis];
            return std::sin(phase);
          }};
}

}  // namespace fluidsplat::theory

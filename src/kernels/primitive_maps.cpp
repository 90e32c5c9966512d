// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/primitive_maps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluidsplat::kernels {
namespace {

// Where each part of a primitive begins.
struct Columns {
  explicit Columns(const FluidSplatSpec& s)
      : scale(s.dim), rotation(2 * s.dim), weight(rotation + s.rotation_columns()), amplitude(weight + 1) {}
  Index scale, rotation, weight, amplitude;
};

double rotation_entry(const FluidSplatSpec& s, const float* primitive, Index i, Index j) {
  return s.full_rotation() ? primitive[2 * s.dim + i * s.dim + j] : i == j ? 1.0 : 0.0;
}

// The head's angle or unit quaternion (w, x, y, z) -> R; in 3-D the transpose of the quaternion's matrix.
void rotation_from_head(Index dim, const double* q, float* rotation) {
  if (dim == 2) {
    const double c = std::cos(q[0]), s = std::sin(q[0]), r[] = {c, s, -s, c};
    std::copy_n(r, 4, rotation);
    return;
  }
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double r[] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                      2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                      2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
  std::copy_n(r, 9, rotation);
}

}  // namespace

void primitive_gaussian(const FluidSplatSpec& shape, const float* primitive, float* gaussian) {
  const Index d = shape.dim;
  const Columns at(shape);
  for (Index i = 0; i < d; ++i) {
    gaussian[i] = primitive[i];
    const double row = std::numbers::sqrt2 / 2 / primitive[at.scale + i];
    for (Index j = 0; j < d; ++j) gaussian[d + i * d + j] = float(row * rotation_entry(shape, primitive, i, j));
  }
  gaussian[d + d * d] = primitive[at.weight];
}

void add_gaussian_gradient(const FluidSplatSpec& shape, const float* primitive, const float* moments, float* gradient) {
  // l = log w - 1/2 |U y|^2 with U_ij = R_ij / sigma_i and y = x - mu.
  const Index d = shape.dim;
  const Columns at(shape);
  double u[9], second[9];
  for (Index i = 0; i < d * d; ++i) u[i] = rotation_entry(shape, primitive, i / d, i % d) / primitive[at.scale + i / d];
  const float* first = moments + 1;
  for (Index i = 0, k = 1 + d; i < d; ++i)
    for (Index j = i; j < d; ++j, ++k) second[i * d + j] = second[j * d + i] = moments[k];

  gradient[at.weight] += moments[0];
  for (Index i = 0; i < d; ++i) {
    double along = 0;  // (U first)_i
    for (Index j = 0; j < d; ++j) along += u[i * d + j] * first[j];
    for (Index j = 0; j < d; ++j) gradient[j] += float(u[i * d + j] * along);
  }
  for (Index i = 0; i < d; ++i) {
    const double sigma = primitive[at.scale + i];
    double sigma_gradient = 0;
    for (Index j = 0; j < d; ++j) {
      double g = 0;
      for (Index k = 0; k < d; ++k) g -= u[i * d + k] * second[k * d + j];
      sigma_gradient -= g * u[i * d + j] / sigma;
      if (shape.full_rotation()) gradient[at.rotation + i * d + j] += float(g / sigma);
    }
    gradient[at.scale + i] += float(sigma_gradient);
  }
  const float* amplitude = moments + moment_count(shape) - shape.channels;
  for (Index c = 0; c < shape.channels; ++c) gradient[at.amplitude + c] += amplitude[c];
}

void primitive_token(const FluidSplatSpec& shape, const float* primitive, float* token) {
  const Index d = shape.dim;
  const Columns at(shape);
  token = std::copy_n(primitive, d, token);
  for (Index i = 0; i < d; ++i) *token++ = std::log(primitive[at.scale + i]);
  const float* r = primitive + at.rotation;
  if (shape.full_rotation() && d == 2) {
    // (cos, sin) of twice the angle.
    *token++ = r[0] * r[0] - r[1] * r[1];
    *token++ = 2 * r[0] * r[1];
  } else if (shape.full_rotation()) {
    token = std::copy_n(r, 6, token);
  }
  *token++ = std::exp(primitive[at.weight]);
  std::copy_n(primitive + at.amplitude, shape.channels, token);
}

void add_token_gradient(const FluidSplatSpec& shape, const float* primitive, const float* g, float* gradient) {
  const Index d = shape.dim;
  const Columns at(shape);
  for (Index i = 0; i < d; ++i) gradient[i] += *g++;
  for (Index i = 0; i < d; ++i) gradient[at.scale + i] += *g++ / primitive[at.scale + i];
  const float* r = primitive + at.rotation;
  if (shape.full_rotation() && d == 2) {
    gradient[at.rotation] += 2 * (r[0] * g[0] + r[1] * g[1]);
    gradient[at.rotation + 1] += 2 * (r[0] * g[1] - r[1] * g[0]);
    g += 2;
  } else if (shape.full_rotation()) {
    for (int i = 0; i < 6; ++i) gradient[at.rotation + i] += *g++;
  }
  gradient[at.weight] += *g++ * std::exp(primitive[at.weight]);
  for (Index c = 0; c < shape.channels; ++c) gradient[at.amplitude + c] += *g++;
}

void head_to_primitives(const FluidSplatSpec& shape, double scale_min, double scale_max, const float* raw,
                        float* primitives) {
  const Index d = shape.dim, rotation = shape.head_rotation_columns();
  const Columns at(shape);
  const auto sigmoid = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  for (Index k = 0; k < shape.primitives; ++k) {
    for (Index i = 0; i < d; ++i) primitives[i] = float(sigmoid(raw[i]));
    for (Index i = 0; i < d; ++i)
      primitives[at.scale + i] = float(scale_min + (scale_max - scale_min) * sigmoid(raw[d + i]));
    double q[4] = {}, square = 0;
    for (Index i = 0; i < rotation; ++i) q[i] = raw[2 * d + i], square += q[i] * q[i];
    if (rotation == 4)
      for (double& v : q) v /= std::max(1e-12, std::sqrt(square));
    if (rotation > 0) rotation_from_head(d, q, primitives + at.rotation);
    const double w = raw[2 * d + rotation];
    primitives[at.weight] = float(std::min(w, 0.0) - std::log1p(std::exp(-std::abs(w))));
    std::copy_n(raw + 2 * d + rotation + 1, shape.channels, primitives + at.amplitude);
    raw += shape.head_columns();
    primitives += shape.primitive_columns();
  }
}

}  // namespace fluidsplat::kernels

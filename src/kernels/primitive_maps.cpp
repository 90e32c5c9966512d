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
  explicit Columns(const DecoderShape& s)
      : scale(s.dim), rotation(2 * s.dim), weight(rotation + s.rotation_columns()), amplitude(weight + 1) {}
  std::size_t scale, rotation, weight, amplitude;
};

}  // namespace

void primitive_rotation(const DecoderShape& shape, const float* primitive, double* r) {
  const std::size_t d = shape.dim;
  const float* p = primitive + 2 * d;
  if (!shape.full_rotation) {
    for (std::size_t i = 0; i < d * d; ++i) r[i] = i % (d + 1) == 0 ? 1.0 : 0.0;
  } else if (d == 2) {
    const double c = std::cos(double{p[0]}), s = std::sin(double{p[0]});
    r[0] = c, r[1] = s, r[2] = -s, r[3] = c;
  } else {
    // The transpose of the quaternion's matrix, so rows are axes.
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    r[0] = 1 - 2 * (y * y + z * z), r[1] = 2 * (x * y + w * z), r[2] = 2 * (x * z - w * y);
    r[3] = 2 * (x * y - w * z), r[4] = 1 - 2 * (x * x + z * z), r[5] = 2 * (y * z + w * x);
    r[6] = 2 * (x * z + w * y), r[7] = 2 * (y * z - w * x), r[8] = 1 - 2 * (x * x + y * y);
  }
}

void add_rotation_gradient(const DecoderShape& shape, const float* primitive, const double* g,
                           float* gradient) {
  const float* p = primitive + 2 * shape.dim;
  float* out = gradient + 2 * shape.dim;
  if (!shape.full_rotation) return;
  if (shape.dim == 2) {
    const double c = std::cos(double{p[0]}), s = std::sin(double{p[0]});
    out[0] += static_cast<float>(-s * g[0] + c * g[1] - c * g[2] - s * g[3]);
    return;
  }
  const double w = p[0], x = p[1], y = p[2], z = p[3];
  out[0] += static_cast<float>(2 * (z * (g[1] - g[3]) + y * (g[6] - g[2]) + x * (g[5] - g[7])));
  out[1] += static_cast<float>(2 * (y * (g[1] + g[3]) + z * (g[2] + g[6]) + w * (g[5] - g[7])) -
                               4 * x * (g[4] + g[8]));
  out[2] += static_cast<float>(2 * (x * (g[1] + g[3]) + z * (g[5] + g[7]) + w * (g[6] - g[2])) -
                               4 * y * (g[0] + g[8]));
  out[3] += static_cast<float>(2 * (x * (g[2] + g[6]) + y * (g[5] + g[7]) + w * (g[1] - g[3])) -
                               4 * z * (g[0] + g[4]));
}

void primitive_gaussian(const DecoderShape& shape, const float* primitive, float* gaussian) {
  const std::size_t d = shape.dim;
  const Columns at(shape);
  double r[9];
  primitive_rotation(shape, primitive, r);
  for (std::size_t i = 0; i < d; ++i) {
    gaussian[i] = primitive[i];
    const double row = std::numbers::sqrt2 / 2 / primitive[at.scale + i];
    for (std::size_t j = 0; j < d; ++j) gaussian[d + i * d + j] = static_cast<float>(row * r[i * d + j]);
  }
  gaussian[d + d * d] = primitive[at.weight];
}

void add_gaussian_gradient(const DecoderShape& shape, const float* primitive, const float* moments,
                           float* gradient) {
  // l = log w - 1/2 |U y|^2 with U_ij = R_ij / sigma_i and y = x - mu.
  const std::size_t d = shape.dim;
  const Columns at(shape);
  double r[9], u[9], second[9], u_gradient[9], r_gradient[9];
  primitive_rotation(shape, primitive, r);
  for (std::size_t i = 0; i < d * d; ++i) u[i] = r[i] / primitive[at.scale + i / d];
  const float* first = moments + 1;
  for (std::size_t i = 0, k = 1 + d; i < d; ++i)
    for (std::size_t j = i; j < d; ++j, ++k) second[i * d + j] = second[j * d + i] = moments[k];

  gradient[at.weight] += moments[0];
  for (std::size_t i = 0; i < d; ++i) {
    double along = 0;  // (U first)_i
    for (std::size_t j = 0; j < d; ++j) along += u[i * d + j] * first[j];
    for (std::size_t j = 0; j < d; ++j) gradient[j] += static_cast<float>(u[i * d + j] * along);
  }
  for (std::size_t i = 0; i < d; ++i) {
    const double sigma = primitive[at.scale + i];
    double sigma_gradient = 0;
    for (std::size_t j = 0; j < d; ++j) {
      double g = 0;
      for (std::size_t k = 0; k < d; ++k) g -= u[i * d + k] * second[k * d + j];
      u_gradient[i * d + j] = g;
      sigma_gradient -= g * u[i * d + j] / sigma;
      r_gradient[i * d + j] = u_gradient[i * d + j] / sigma;
    }
    gradient[at.scale + i] += static_cast<float>(sigma_gradient);
  }
  add_rotation_gradient(shape, primitive, r_gradient, gradient);
  const float* amplitude = moments + moment_count(shape) - shape.channels;
  for (std::size_t c = 0; c < shape.channels; ++c) gradient[at.amplitude + c] += amplitude[c];
}

void primitive_token(const DecoderShape& shape, const float* primitive, float* token) {
  const std::size_t d = shape.dim;
  const Columns at(shape);
  token = std::copy_n(primitive, d, token);
  for (std::size_t i = 0; i < d; ++i) *token++ = std::log(primitive[at.scale + i]);
  if (shape.full_rotation && d == 2) {
    *token++ = std::cos(2 * primitive[at.rotation]);
    *token++ = std::sin(2 * primitive[at.rotation]);
  } else if (shape.full_rotation) {
    double r[9];
    primitive_rotation(shape, primitive, r);
    for (int i = 0; i < 6; ++i) *token++ = static_cast<float>(r[i]);
  }
  *token++ = std::exp(primitive[at.weight]);
  std::copy_n(primitive + at.amplitude, shape.channels, token);
}

void add_token_gradient(const DecoderShape& shape, const float* primitive, const float* g, float* gradient) {
  const std::size_t d = shape.dim;
  const Columns at(shape);
  for (std::size_t i = 0; i < d; ++i) gradient[i] += *g++;
  for (std::size_t i = 0; i < d; ++i) gradient[at.scale + i] += *g++ / primitive[at.scale + i];
  if (shape.full_rotation && d == 2) {
    const float angle = 2 * primitive[at.rotation];
    gradient[at.rotation] += 2 * (std::cos(angle) * g[1] - std::sin(angle) * g[0]);
    g += 2;
  } else if (shape.full_rotation) {
    double rotation_gradient[9] = {};
    for (int i = 0; i < 6; ++i) rotation_gradient[i] = *g++;
    add_rotation_gradient(shape, primitive, rotation_gradient, gradient);
  }
  gradient[at.weight] += *g++ * std::exp(primitive[at.weight]);
  for (std::size_t c = 0; c < shape.channels; ++c) gradient[at.amplitude + c] += *g++;
}

void head_to_primitives(const DecoderShape& shape, double scale_min, double scale_max, const float* raw,
                        float* primitives) {
  const std::size_t d = shape.dim;
  const Columns at(shape);
  const auto sigmoid = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  for (std::size_t k = 0; k < shape.primitives; ++k) {
    for (std::size_t i = 0; i < d; ++i) primitives[i] = static_cast<float>(sigmoid(raw[i]));
    for (std::size_t i = 0; i < d; ++i)
      primitives[at.scale + i] =
          static_cast<float>(scale_min + (scale_max - scale_min) * sigmoid(raw[at.scale + i]));
    if (shape.rotation_columns() == 1) primitives[at.rotation] = raw[at.rotation];
    if (shape.rotation_columns() == 4) {
      const float* q = raw + at.rotation;
      const double norm = std::max(1e-12, std::sqrt(double{q[0]} * q[0] + double{q[1]} * q[1] +
                                                    double{q[2]} * q[2] + double{q[3]} * q[3]));
      for (int i = 0; i < 4; ++i) primitives[at.rotation + i] = static_cast<float>(q[i] / norm);
    }
    const double w = raw[at.weight];
    primitives[at.weight] = static_cast<float>(std::min(w, 0.0) - std::log1p(std::exp(-std::abs(w))));
    std::copy_n(raw + at.amplitude, shape.channels, primitives + at.amplitude);
    raw += shape.primitive_columns();
    primitives += shape.primitive_columns();
  }
}

}  // namespace fluidsplat::kernels

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/parameters.h"

namespace fluidsplat::kernels {
namespace {

using Numbers = std::vector<double>;

struct Reference {
  const FluidSplatSpec& s;
  const ReferenceInputs& in;
  const Parameters p{s};

  Numbers linear(const LinearParameters& l, const Numbers& x) const {
    Numbers y(l.rows);
    for (Index i = 0; i < l.rows; ++i) {
      y[i] = in.parameters[l.bias + i];
      for (Index j = 0; j < l.cols; ++j) y[i] += in.parameters[l.weight + i * l.cols + j] * x[j];
    }
    return y;
  }

  Numbers norm(const LinearParameters& l, Numbers x) const {
    double mean = 0, variance = 0;
    for (double v : x) mean += v / double(x.size());
    for (double v : x) variance += (v - mean) * (v - mean) / double(x.size());
    for (Index i = 0; i < std::ssize(x); ++i)
      x[i] = (x[i] - mean) / std::sqrt(variance + 1e-5) * in.parameters[l.weight + i] + in.parameters[l.bias + i];
    return x;
  }

  static double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }

  Numbers rotation(const double* primitive) const {
    if (!s.full_rotation()) return s.dim == 2 ? Numbers{1, 0, 0, 1} : Numbers{1, 0, 0, 0, 1, 0, 0, 0, 1};
    return {primitive + 2 * s.dim, primitive + 2 * s.dim + s.dim * s.dim};
  }

  Numbers token(const double* primitive) const {
    const Index d = s.dim, weight = 2 * d + s.rotation_columns();
    Numbers t(primitive, primitive + d);
    for (Index i = 0; i < d; ++i) t.push_back(std::log(primitive[d + i]));
    if (s.full_rotation() && d == 2) {
      const double cosine = primitive[2 * d], sine = primitive[2 * d + 1];
      t.push_back(cosine * cosine - sine * sine);
      t.push_back(2 * cosine * sine);
    } else if (s.full_rotation()) {
      const auto r = rotation(primitive);
      t.insert(t.end(), r.begin(), r.begin() + 6);
    }
    t.push_back(std::exp(primitive[weight]));
    t.insert(t.end(), primitive + weight + 1, primitive + weight + 1 + s.channels);
    return t;
  }

  // Log density of every primitive at x.
  Numbers log_densities(const double* x) const {
    const Index d = s.dim, columns = s.primitive_columns();
    Numbers l(s.primitives);
    for (Index k = 0; k < s.primitives; ++k) {
      const double* primitive = &in.primitives[k * columns];
      const auto r = rotation(primitive);
      double form = 0;
      for (Index i = 0; i < d; ++i) {
        double u = 0;
        for (Index j = 0; j < d; ++j) u += r[i * d + j] * (x[j] - primitive[j]);
        form += u * u / (primitive[d + i] * primitive[d + i]);
      }
      l[k] = primitive[2 * d + s.rotation_columns()] - 0.5 * form;
    }
    return l;
  }

  // Softmax in place; returns log of the sum of exponentials.
  static double softmax(Numbers& l) {
    const double top = *std::max_element(l.begin(), l.end());
    double sum = 0;
    for (double& v : l) sum += v = std::exp(v - top);
    for (double& v : l) v /= sum;
    return top + std::log(sum);
  }

  Numbers query_inputs(Index query) const {
    const double* x = &in.positions[query * s.dim];
    Numbers v(x, x + s.dim);
    for (Index b = 0; b < s.bands; ++b)
      for (int part = 0; part < 2; ++part)
        for (Index i = 0; i < s.dim; ++i) {
          const double angle = std::numbers::pi * std::ldexp(x[i], int(b));
          v.push_back(part == 0 ? std::sin(angle) : std::cos(angle));
        }
    v.insert(v.end(), in.features.begin() + query * s.features, in.features.begin() + (query + 1) * s.features);
    return v;
  }

  Numbers attention(const Numbers& v_and_z) const {
    const auto q0 = linear(p.query, v_and_z), q = linear(p.attend_q, q0);
    std::vector<Numbers> keys, values;
    for (Index k = 0; k < s.tokens(); ++k) {
      const auto e = k < s.primitives ? linear(p.token, token(&in.primitives[k * s.primitive_columns()]))
                                      : linear(p.global, in.context);
      keys.push_back(linear(p.attend_k, e));
      values.push_back(linear(p.attend_v, e));
    }
    Numbers heads(s.attention_width, 0.0);
    const Index width = s.head_width();
    for (Index h = 0; h < s.heads; ++h) {
      Numbers scores(keys.size(), 0.0);
      for (Index k = 0; k < std::ssize(keys); ++k)
        for (Index i = h * width; i < (h + 1) * width; ++i) scores[k] += q[i] * keys[k][i] / std::sqrt(double(width));
      softmax(scores);
      for (Index k = 0; k < std::ssize(keys); ++k)
        for (Index i = h * width; i < (h + 1) * width; ++i) heads[i] += scores[k] * values[k][i];
    }
    auto r = linear(p.attend_out, heads);
    for (Index i = 0; i < std::ssize(r); ++i) r[i] += q0[i];
    r = norm(p.norm1, r);
    auto hidden = linear(p.ffn0, r);
    for (double& x : hidden) x = gelu(x);
    const auto f = linear(p.ffn1, hidden);
    for (Index i = 0; i < std::ssize(r); ++i) r[i] += f[i];
    return norm(p.norm2, r);
  }

  Numbers residual(Index query, const Numbers& mean, double log_mass) const {
    Numbers x = query_inputs(query);
    x.insert(x.end(), in.context.begin(), in.context.end());
    const Numbers r = s.attends() ? attention(x) : Numbers{};
    if (s.state_features) {
      x.insert(x.end(), mean.begin(), mean.end());
      x.push_back(std::log1p(std::exp(log_mass)));
    }
    x.insert(x.end(), r.begin(), r.end());
    for (Index l = 0; l < s.layers; ++l) {
      x = linear(p.mlp[l], x);
      const Numbers m = s.modulated() ? linear(p.modulation[l], in.descriptors) : Numbers(2 * s.width, 0.0);
      for (Index i = 0; i < s.width; ++i) {
        const double g = s.modulation_gain;
        const double a = x[i] * (1 + g * std::tanh(m[i])) + g * std::tanh(m[s.width + i]);
        x[i] = s.activation == Activation::kGelu ? gelu(a) : std::sin(s.omega * a);
      }
    }
    return linear(p.mlp[s.layers], x);
  }
};

}  // namespace

ReferenceOutputs reference_forward(const FluidSplatSpec& s, const ReferenceInputs& in) {
  const Reference reference{s, in};
  ReferenceOutputs out;
  for (Index query = 0; query < in.count; ++query) {
    auto weights = reference.log_densities(&in.positions[query * s.dim]);
    const double log_mass = Reference::softmax(weights);
    Numbers mean(s.channels, 0.0);
    const Index columns = s.primitive_columns();
    for (Index k = 0; k < s.primitives; ++k)
      for (Index c = 0; c < s.channels; ++c) mean[c] += weights[k] * in.primitives[(k + 1) * columns - s.channels + c];
    const Numbers residual = s.has_decoder() ? reference.residual(query, mean, log_mass) : Numbers(s.channels, 0.0);
    for (Index c = 0; c < s.channels; ++c)
      out.field.push_back(residual[c] + (s.output == Output::kResidual ? 0.0 : mean[c]));
    out.primitive.insert(out.primitive.end(), mean.begin(), mean.end());
    out.log_mass.push_back(log_mass);
  }
  return out;
}

}  // namespace fluidsplat::kernels

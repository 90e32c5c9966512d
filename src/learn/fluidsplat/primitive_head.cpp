// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/primitive_head.h"

#include <cmath>

namespace fluidsplat::learn {
namespace {

double logit(double p) {
  return std::log(p / (1 - p));
}

// Points of the R_d sequence: the most even spread that can be had for any K without a search.
std::vector<double> spread_point(Index index, Index dim) {
  double phi = 2;
  for (int i = 0; i < 50; ++i) phi = std::pow(1 + phi, 1.0 / double(dim + 1));
  std::vector<double> point;
  for (Index a = 1; a <= dim; ++a) {
    const double v = 0.5 + std::pow(1 / phi, double(a)) * double(index + 1);
    point.push_back(v - std::floor(v));
  }
  return point;
}

}  // namespace

PrimitiveHeadImpl::PrimitiveHeadImpl(const model::FluidSplatSpec& spec) : spec_(spec) {
  const auto outputs = spec.primitives * spec.head_columns();
  weight = register_parameter("weight", torch::empty({outputs, spec.context}));
  bias = register_parameter("bias", torch::zeros({outputs}));
  initialize();
}

void PrimitiveHeadImpl::initialize() {
  torch::NoGradGuard no_grad;
  const auto k = spec_.primitives, d = spec_.dim, p = spec_.head_columns();
  // A small slope: at first every case sees nearly the same well-spread scaffold.
  torch::nn::init::normal_(weight, 0, 0.1 / std::sqrt(double(spec_.context)));
  const double target = 0.7 * std::pow(double(k), -1.0 / double(d));
  const double range = spec_.scale_max - spec_.scale_min;
  const double fraction = std::clamp((target - spec_.scale_min) / range, 0.02, 0.98);
  auto b = bias.view({k, p});
  auto access = b.accessor<float, 2>();
  for (Index i = 0; i < k; ++i) {
    const auto point = spread_point(i, d);
    for (Index a = 0; a < d; ++a) {
      access[i][a] = float(logit(std::clamp(point[a], 0.01, 0.99)));
      access[i][d + a] = float(logit(fraction));
    }
    if (spec_.head_rotation_columns() == 4) access[i][2 * d] = 1;
  }
  auto amplitudes = weight.view({k, p, spec_.context}).slice(1, p - spec_.channels);
  torch::nn::init::normal_(amplitudes, 0, 1 / std::sqrt(double(spec_.context)));
}

Primitives PrimitiveHeadImpl::forward(const torch::Tensor& z) {
  const auto d = spec_.dim, r = spec_.head_rotation_columns();
  const auto raw = torch::linear(z, weight, bias).view({z.size(0), spec_.primitives, spec_.head_columns()});
  Primitives out;
  out.centre = torch::sigmoid(raw.slice(2, 0, d));
  out.scale = spec_.scale_min + (spec_.scale_max - spec_.scale_min) * torch::sigmoid(raw.slice(2, d, 2 * d));
  if (r == 1) out.rotation = rotation_from_angle(raw.select(2, 2 * d));
  if (r == 4) {
    const auto q = raw.slice(2, 2 * d, 2 * d + 4);
    out.rotation = rotation_from_quaternion(q / q.norm(2, -1, true).clamp_min(1e-12));
  }
  out.log_weight = torch::log_sigmoid(raw.select(2, 2 * d + r));
  out.amplitude = raw.slice(2, 2 * d + r + 1);
  return out;
}

torch::Tensor rotation_from_angle(const torch::Tensor& angle) {
  const auto c = torch::cos(angle), s = torch::sin(angle);
  return torch::stack({torch::stack({c, s}, -1), torch::stack({-s, c}, -1)}, -2);
}

torch::Tensor rotation_from_quaternion(const torch::Tensor& q) {
  const auto w = q.select(-1, 0), x = q.select(-1, 1), y = q.select(-1, 2), z = q.select(-1, 3);
  const auto row = [](const torch::Tensor& a, const torch::Tensor& b, const torch::Tensor& c) {
    return torch::stack({a, b, c}, -1);
  };
  return torch::stack({row(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
                       row(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
                       row(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))},
                      -2);
}

torch::Tensor primitive_tokens(const Primitives& p) {
  std::vector<torch::Tensor> parts = {p.centre, torch::log(p.scale)};
  if (p.rotation.defined()) {
    if (p.centre.size(2) == 2) {
      // (cos 2t, sin 2t): an ellipse turned by pi is the same ellipse.
      const auto c = p.rotation.select(2, 0).select(2, 0), s = p.rotation.select(2, 0).select(2, 1);
      parts.push_back(torch::stack({c * c - s * s, 2 * c * s}, -1));
    } else {
      parts.push_back(p.rotation.slice(2, 0, 2).flatten(2));
    }
  }
  parts.push_back(torch::exp(p.log_weight).unsqueeze(-1));
  parts.push_back(p.amplitude);
  return torch::cat(parts, -1);
}

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/encoder.h"

#include <limits>

#include "learn/fourier.h"

namespace fluidsplat::learn {

torch::Tensor masked_mean(const torch::Tensor& tokens, const torch::Tensor& present) {
  const auto mask = present.unsqueeze(-1).to(tokens.dtype());
  return (tokens * mask).sum(1) / mask.sum(1).clamp_min(1);
}

torch::Tensor masked_max(const torch::Tensor& tokens, const torch::Tensor& present) {
  const auto absent = present.unsqueeze(-1).eq(0);
  const auto lowest = tokens.masked_fill(absent, -std::numeric_limits<float>::max());
  return std::get<0>(lowest.max(1)).masked_fill(absent.all(1), 0);
}

SensorEncoderImpl::SensorEncoderImpl(const ModelConfig& config) : config_(config) {
  const auto position = config.dim * (1 + 2 * config.encoder_bands), place = position + config.channels;
  const auto e = config.encoder_width;
  Index pooled;
  if (config.encoder == "paper") {
    token_ = register_module("token", Mlp(std::vector<Index>{place + 1, e, e, e}));
    pooled = 2 * e;
  } else {
    gain_ = register_module("gain", Mlp(std::vector<Index>{place, e, e, e}));
    bias_ = register_module("bias", Mlp(std::vector<Index>{place, e, e, e}));
    pooled = e;
  }
  if (config.geometry) {
    geometry_ = register_module("geometry", Mlp(std::vector<Index>{position + config.geometry_features, e, e, e}));
    pooled += 2 * e;
  }
  pooled += config.descriptors;
  fuse_ = register_module("fuse", config.encoder_fuse == "linear"
                                      ? Mlp(std::vector<Index>{pooled, config.context})
                                      : Mlp(std::vector<Index>{pooled, config.context, config.context}));
}

torch::Tensor SensorEncoderImpl::pool_sensors(const Observation& o) {
  const auto mark = torch::one_hot(o.channels, config_.channels).to(o.positions.dtype());
  const auto place = torch::cat({fourier_features(o.positions, config_.encoder_bands), mark}, -1);
  const auto reading = o.values.unsqueeze(-1);
  if (config_.encoder == "paper") {
    const auto tokens = token_(torch::cat({place, reading}, -1));
    return torch::cat({masked_mean(tokens, o.present), masked_max(tokens, o.present)}, -1);
  }
  return masked_mean(gain_(place) * reading + bias_(place), o.present);
}

torch::Tensor SensorEncoderImpl::pool_geometry(const Observation& o) {
  const auto tokens =
      geometry_(torch::cat({fourier_features(o.geometry_positions, config_.encoder_bands), o.geometry_features}, -1));
  return torch::cat({masked_mean(tokens, o.geometry_present), masked_max(tokens, o.geometry_present)}, -1);
}

torch::Tensor SensorEncoderImpl::forward(const Observation& o) {
  std::vector<torch::Tensor> parts = {pool_sensors(o)};
  if (config_.geometry) parts.push_back(pool_geometry(o));
  if (config_.descriptors > 0) parts.push_back(o.descriptors);
  return fuse_(torch::cat(parts, -1));
}

}  // namespace fluidsplat::learn

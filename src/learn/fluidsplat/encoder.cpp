// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/encoder.h"

#include <limits>

#include "learn/fluidsplat/fourier.h"

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

SensorEncoderImpl::SensorEncoderImpl(const model::FluidSplatSpec& spec) : spec_(spec) {
  const auto position = spec.sensor_fourier(), place = spec.place_inputs();
  const auto e = spec.encoder_width;
  Index pooled;
  if (!spec.linear_encoder()) {
    token_ = register_module("token", Mlp(std::vector<Index>{place + 1, e, e, e}));
    pooled = 2 * e;
  } else {
    gain_ = register_module("gain", Mlp(std::vector<Index>{place, e, e, e}));
    bias_ = register_module("bias", Mlp(std::vector<Index>{place, e, e, e}));
    pooled = e;
  }
  if (spec.geometry) {
    geometry_ = register_module("geometry", Mlp(std::vector<Index>{position + spec.geometry_features, e, e, e}));
    pooled += 2 * e;
  }
  pooled += spec.descriptors;
  fuse_ = register_module("fuse", spec.linear_fuse() ? Mlp(std::vector<Index>{pooled, spec.context})
                                                     : Mlp(std::vector<Index>{pooled, spec.context, spec.context}));
}

torch::Tensor SensorEncoderImpl::pool_sensors(const Observation& o) {
  const auto mark = torch::one_hot(o.channels, spec_.channels).to(o.positions.dtype());
  const auto place = torch::cat({fourier_features(o.positions, spec_.encoder_bands), mark}, -1);
  const auto reading = o.values.unsqueeze(-1);
  if (!spec_.linear_encoder()) {
    const auto tokens = token_(torch::cat({place, reading}, -1));
    return torch::cat({masked_mean(tokens, o.present), masked_max(tokens, o.present)}, -1);
  }
  return masked_mean(gain_(place) * reading + bias_(place), o.present);
}

torch::Tensor SensorEncoderImpl::pool_geometry(const Observation& o) {
  const auto tokens =
      geometry_(torch::cat({fourier_features(o.geometry_positions, spec_.encoder_bands), o.geometry_features}, -1));
  return torch::cat({masked_mean(tokens, o.geometry_present), masked_max(tokens, o.geometry_present)}, -1);
}

torch::Tensor SensorEncoderImpl::forward(const Observation& o) {
  std::vector<torch::Tensor> parts = {pool_sensors(o)};
  if (spec_.geometry) parts.push_back(pool_geometry(o));
  if (spec_.descriptors > 0) parts.push_back(o.descriptors);
  return fuse_(torch::cat(parts, -1));
}

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/pooled_tokens.h"

#include "model/fluidsplat_spec.h"

namespace fluidsplat::baselines {

void PooledTokens::bind(Config& c) {
  c.add("model.token_width", &token_width, "width of the sensor tokens").at_least(1).at_most(1024);
  c.add("model.token_bands", &token_bands, "Fourier bands of a sensor's position").at_least(0).at_most(12);
  c.add("model.context", &context, "width of what the pooled tokens become").at_least(1).at_most(1024);
  c.add("model.geometry", &geometry, kGeometryMeaning);
}

learn::SensorEncoder PooledTokens::make(const model::Spec& spec) const {
  model::FluidSplatSpec like;
  like.dim = spec.dim;
  like.channels = spec.channels;
  like.descriptors = spec.descriptors;
  like.geometry_features = spec.geometry_features;
  like.geometry = geometry;
  like.encoder_width = token_width;
  like.encoder_bands = token_bands;
  like.context = context;
  return learn::SensorEncoder(like);
}

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/fluidsplat/encoder.h"
#include "model/spec.h"

namespace fluidsplat::baselines {

// Sensors as one vector: a token per reading through an MLP, mean and largest over those that are present, descriptors
// and the wall's tokens beside them.  FluidSplat's encoder does just that, so that all methods see the same.
struct PooledTokens {
  Index token_width = 128, context = 128, token_bands = 6;
  bool geometry = false;
  void bind(Config& config);
  // [B, context] of an Observation, for data of the sizes that `spec` has.
  learn::SensorEncoder make(const model::Spec& spec) const;
};

// What model.geometry means, for every kind that has it.
inline constexpr const char* kGeometryMeaning = "tokens of the wall's places and normals beside those of the sensors";

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/fluidsplat_spec.h"

namespace fluidsplat::bench {

// The paper's two sizes that are measured: AirfRANS, and Surface-8 of the cylinder.
inline model::FluidSplatSpec airfrans() {
  model::FluidSplatSpec s;
  s.channels = 3, s.features = 6, s.descriptors = 2, s.modulation_gain = 0.35f;
  s.primitives = 96, s.layers = 3, s.width = 192;
  return s;
}

inline model::FluidSplatSpec cylinder() {
  model::FluidSplatSpec s;
  s.primitives = 384, s.layers = 4, s.width = 448, s.attention_width = 160;
  return s;
}

}  // namespace fluidsplat::bench

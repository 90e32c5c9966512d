// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: decoders of any shape with random weights, cases and queries, in float and in double alike.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "kernels/forward.h"
#include "kernels/reference.h"

namespace fluidsplat::kernels {

// A decoder's inputs in both precisions; the doubles are the floats, exactly.
struct RandomDecoder {
  RandomDecoder(const FluidSplatSpec& shape, Index queries, std::uint64_t seed);

  FluidSplatSpec shape;
  ReferenceInputs exact;
  std::vector<float> parameters, context, primitives, descriptors, positions, features;

  CaseInput case_input() const {
    return {.context = context.data(), .primitives = primitives.data(), .descriptors = descriptors.data()};
  }
  QueryPoints points() const {
    return {.positions = positions.data(), .features = features.data(), .count = exact.count};
  }
};

// Shapes that between them switch every optional part on and off and take odd sizes, with a name for messages.
std::vector<std::pair<std::string, FluidSplatSpec>> shape_grid();

}  // namespace fluidsplat::kernels

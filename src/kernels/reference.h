// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/spec.h"

namespace fluidsplat::kernels {

// Inputs of the decoder in double precision, laid out as in the kernels' interface.
struct ReferenceInputs {
  std::vector<double> parameters, context, primitives, descriptors, positions, features;
  Index count = 0;
};
struct ReferenceOutputs {
  std::vector<double> field, primitive, log_mass;
};

// docs/model.md's scaffold and decoder as plain loops, one query at a time: what the kernels' tests compare with.
ReferenceOutputs reference_forward(const FluidSplatSpec& shape, const ReferenceInputs& in);

}  // namespace fluidsplat::kernels

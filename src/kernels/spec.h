// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/fluidsplat_spec.h"

namespace fluidsplat::kernels {

// The kernels are made for the shapes and switches of one model's description.
using model::Activation;
using model::FluidSplatSpec;
using model::Output;

}  // namespace fluidsplat::kernels

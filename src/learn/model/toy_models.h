// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: the smallest models of two other structures than FluidSplat's.
#pragma once

#include "learn/model/registry.h"

namespace fluidsplat::learn {

// "toy-grid": a latent grid that is linear in the readings' mean and first moments, trained by gradient and
// interpolated at queries: what an FNO or a CNN needs of the interface. "toy-linear": every point's field is an affine
// function of the readings, fitted by least squares: what POD needs.
void register_toy_models();

}  // namespace fluidsplat::learn

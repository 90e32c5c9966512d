// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/gaussian_dictionary.h"

namespace fluidsplat::theory {

// G_jl = integral over the box of phi_j phi_l, in closed form (a product of error functions).
Matrix gram_on_box(const GaussianDictionary& dictionary, const Box& box);

// The same over any domain that equal-weight points sample: volume / n * A^T A.
Matrix gram_by_quadrature(const GaussianDictionary& dictionary, const Points& points, double volume);

}  // namespace fluidsplat::theory

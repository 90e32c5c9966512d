// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theory/rate_fit.h"

namespace fluidsplat::theory {

// Which class of approximants a rate belongs to.
enum class PrimitiveClass {
  kLattice,     // unnormalised, lattice centres, least squares
  kNested,      // unnormalised, farthest-point centres, least squares
  kGreedy,      // unnormalised, adaptive centres and scales
  kNormalised,  // the Shepard oracle
};
std::string name_of(PrimitiveClass primitives);

// One measured rate beside the exponent that theory names for it.
struct RateStudy {
  std::string field;
  int dimension = 1;
  double smoothness = 0;  // infinity for a smooth field
  PrimitiveClass primitives = PrimitiveClass::kLattice;
  double expected = 0;
  // An upper bound: point singularities let adaptive centres do better than -s/d.
  bool expected_is_bound = false;
  RateCurve curve;
};

// Measures both rates on analytic fields of known smoothness in 1, 2 and 3 dimensions.  The expected exponents are the
// theory's; the fields, counts and scales were chosen in pilot runs to lie in the asymptotic range. `done` is told
// after each study; a false answer stops.
std::vector<RateStudy> study_rates(const std::function<bool(const RateStudy&)>& done = {});

}  // namespace fluidsplat::theory

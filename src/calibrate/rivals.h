// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "calibrate/coverage.h"
#include "calibrate/posterior_of_modes.h"

namespace fluidsplat::calibrate {

// What bands made another way would be, from the same reconstructions: of one width everywhere, and as wide as a
// Gaussian process says, around its own answer.
struct Rivals {
  RungErrors constant, of_posterior;
  std::optional<PosteriorOfModes> posterior;  // where all cases share a mesh
  double our_squares = 0, their_squares = 0;  // sums of squared errors of the model and of the Gaussian process

  // The k-th case, its places' classes, and its normalised readings; at so many points, drawn at random.
  void add(Index k, const SeenCase& seen, const Yardstick& own, const std::vector<float>& readings, Index points,
           std::uint64_t seed);
};

}  // namespace fluidsplat::calibrate

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfoil_splits.h"

#include <cmath>

#include "base/random.h"

namespace fluidsplat::benchmarks {

namespace {

constexpr std::uint64_t kOrder = 0xa1f011;  // a stream of random numbers of its own

// Where a value lies in a range, 0 to 1.
double share(double value, double least, double most) {
  return (value - least) / (most - least);
}

}  // namespace

Manifest split_airfoils(const std::vector<AirfoilPlan>& cases, const AirfoilSetOptions& options) {
  Manifest out;
  // Empty lists are there too.
  for (const auto* name :
       {"full_train", "full_test", "scarce_train", "aoa_train", "aoa_test", "reynolds_train", "reynolds_test"})
    out[name];
  std::vector<AirfoilPlan> order = cases;
  Random(options.seed, kOrder).shuffle(order);
  const Index tests = std::ssize(order) / 5, trained = std::ssize(order) - tests;
  for (Index i = 0; i < std::ssize(order); ++i) {
    const auto& plan = order[i];
    const auto name = to_string(plan.name);
    out[i < trained ? "full_train" : "full_test"].push_back(name);
    if (4 * i < trained) out["scarce_train"].push_back(name);
    const double angle = share(plan.name.angle, options.angle_least, options.angle_most);
    out[angle > 0.125 && angle < 0.875 ? "aoa_train" : "aoa_test"].push_back(name);
    const double reynolds =
        share(std::log(plan.reynolds), std::log(options.reynolds_least), std::log(options.reynolds_most));
    out[reynolds > 0.25 && reynolds < 0.75 ? "reynolds_train" : "reynolds_test"].push_back(name);
  }
  return out;
}

}  // namespace fluidsplat::benchmarks

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "base/index.h"

namespace fluidsplat::learn {

// Tells a loss that has exploded from one that merely varies: many times its running mean.
class SpikeGuard {
 public:
  explicit SpikeGuard(double factor) : factor_(factor) {}
  // The largest loss that counts as training going well; infinite until the mean means something.
  double limit(Index step, double mean_loss) const {
    return step >= kSettle ? factor_ * mean_loss : std::numeric_limits<double>::max();
  }
  static double updated_mean(double mean_loss, double loss) {
    return mean_loss == 0 ? loss : kForget * mean_loss + (1 - kForget) * loss;
  }

 private:
  // How fast the mean forgets, and the steps it needs to mean something.
  static constexpr double kForget = 0.98;
  static constexpr Index kSettle = 20;
  double factor_;
};

}  // namespace fluidsplat::learn

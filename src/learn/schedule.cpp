// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluidsplat::learn {
namespace {

// From a to b as t goes from 0 to 1, flat at both ends.
double cosine(double a, double b, double t) {
  return b + (a - b) * 0.5 * (1 + std::cos(std::numbers::pi * std::clamp(t, 0.0, 1.0)));
}

// The relative improvement that counts as one.
constexpr double kImprovement = 1e-4;

}  // namespace

double Schedule::rate(Index step) const {
  const double t = double(step) / double(std::max<Index>(1, config_.steps));
  if (config_.kind == "cosine") return cosine(config_.rate, config_.final_rate, t);
  if (config_.kind == "one-cycle") {
    if (t < config_.warmup) return cosine(config_.rate / 25, config_.rate, t / config_.warmup);
    return cosine(config_.rate, config_.final_rate, (t - config_.warmup) / (1 - config_.warmup));
  }
  if (config_.kind == "plateau") return std::max(config_.final_rate, config_.rate * state.plateau_scale);
  return config_.rate;
}

void Schedule::report(double validation_error) {
  if (config_.kind != "plateau") return;
  if (validation_error < state.best * (1 - kImprovement)) {
    state.best = validation_error;
    state.waited = 0;
  } else if (++state.waited > config_.patience) {
    state.plateau_scale *= config_.factor;
    state.waited = 0;
  }
}

}  // namespace fluidsplat::learn

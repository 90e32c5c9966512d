// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/schedule.h"

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

void ScheduleConfig::bind(Config& c) {
  c.add("train.steps", &steps, "optimiser steps at the most").at_least(1);
  c.add_choice("train.schedule", &kind,
               {{"plateau", ScheduleKind::kPlateau},
                {"cosine", ScheduleKind::kCosine},
                {"one-cycle", ScheduleKind::kOneCycle},
                {"constant", ScheduleKind::kConstant}},
               "of the learning rate");
  c.add("train.rate", &rate, "learning rate (the peak, for one-cycle)").at_least(1e-9).at_most(1);
  c.add("train.final_rate", &final_rate, "where the rate ends, or its least").at_least(0).at_most(1);
  c.add("train.warmup", &warmup, "share of the steps on which the rate rises, for one-cycle")
      .at_least(0.001)
      .at_most(0.99);
  c.add("train.plateau_factor", &factor, "the rate drops by this").at_least(0.01).at_most(0.99);
  c.add("train.plateau_patience", &patience, "validations without progress before it drops").at_least(0);
}

double Schedule::rate(Index step) const {
  const double t = double(step) / double(std::max<Index>(1, config_.steps));
  if (config_.kind == ScheduleKind::kCosine) return cosine(config_.rate, config_.final_rate, t);
  if (config_.kind == ScheduleKind::kOneCycle) {
    if (t < config_.warmup) return cosine(config_.rate / 25, config_.rate, t / config_.warmup);
    return cosine(config_.rate, config_.final_rate, (t - config_.warmup) / (1 - config_.warmup));
  }
  if (config_.kind == ScheduleKind::kPlateau) return std::max(config_.final_rate, config_.rate * state.plateau_scale);
  return config_.rate;
}

void Schedule::report(double validation_error) {
  if (config_.kind != ScheduleKind::kPlateau) return;
  if (validation_error < state.best * (1 - kImprovement)) {
    state.best = validation_error;
    state.waited = 0;
  } else if (++state.waited > config_.patience) {
    state.plateau_scale *= config_.factor;
    state.waited = 0;
  }
}

}  // namespace fluidsplat::learn

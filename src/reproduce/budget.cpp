// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/budget.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::reproduce {

learn::TrainConfig fit_to_budget(learn::TrainConfig config, const learn::StepCost& cost) {
  constexpr Index kMostValidations = 8, kFewestValidations = 2;
  constexpr double kShareOfValidations = 0.2;
  constexpr double kBetweenCheckpoints = 30;  // seconds
  const double step = std::max(1e-6, cost.step_seconds);
  config.checkpoint_every = std::clamp<Index>(std::lround(kBetweenCheckpoints / step), 1, config.checkpoint_every);
  if (config.max_minutes <= 0) return config;
  const double seconds = 60 * config.max_minutes;
  config.max_minutes = 0;
  const bool counts_validations = config.schedule.kind == learn::ScheduleKind::kPlateau || config.early_stop > 0;
  if (counts_validations) {
    const double whole_step = step + cost.validation_seconds / double(config.validate_every);
    config.schedule.steps = std::clamp<Index>(std::lround(seconds / whole_step), 1, config.schedule.steps);
    return config;
  }
  const auto validations = std::clamp(Index(kShareOfValidations * seconds / std::max(1e-6, cost.validation_seconds)),
                                      kFewestValidations, kMostValidations);
  const double left = std::max(0.0, seconds - double(validations) * cost.validation_seconds);
  const auto fitting = std::max<Index>(1, std::lround(left / step));
  if (fitting >= config.schedule.steps) return config;
  config.schedule.steps = fitting;
  config.validate_every = std::max<Index>(1, fitting / validations);
  return config;
}

}  // namespace fluidsplat::reproduce

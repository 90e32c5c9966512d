// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/budget.h"

#include <gtest/gtest.h>

namespace fluidsplat::reproduce {
namespace {

learn::TrainConfig config(learn::ScheduleKind schedule) {
  learn::TrainConfig out;
  out.schedule.kind = schedule;
  out.schedule.steps = 1000;
  out.max_minutes = 1;
  out.validate_every = 100;
  out.checkpoint_every = 500;
  return out;
}

TEST(Budget, ScheduleEndsWithTheTime) {
  const auto fitted = fit_to_budget(config(learn::ScheduleKind::kOneCycle), {0.1, 0.5});
  EXPECT_EQ(fitted.schedule.steps, 560);  // 60 s less eight validations
  EXPECT_EQ(fitted.validate_every, 70);
  EXPECT_EQ(fitted.max_minutes, 0);
}

TEST(Budget, SlowValidationsAreFew) {
  const auto fitted = fit_to_budget(config(learn::ScheduleKind::kOneCycle), {0.1, 6});
  EXPECT_EQ(fitted.schedule.steps, 480);  // two validations take a fifth of the minute
  EXPECT_EQ(fitted.validate_every, 240);
}

TEST(Budget, ShortConfigsStayAsTheyAre) {
  const auto fitted = fit_to_budget(config(learn::ScheduleKind::kOneCycle), {0.001, 0.1});
  EXPECT_EQ(fitted.schedule.steps, 1000);
  EXPECT_EQ(fitted.validate_every, 100);
}

TEST(Budget, PlateausKeepTheirValidations) {
  const auto fitted = fit_to_budget(config(learn::ScheduleKind::kPlateau), {0.1, 10});
  EXPECT_EQ(fitted.schedule.steps, 300);  // 0.2 s a step with its share of a validation
  EXPECT_EQ(fitted.validate_every, 100);
}

TEST(Budget, SlowStepsAreCheckpointedOften) {
  EXPECT_EQ(fit_to_budget(config(learn::ScheduleKind::kOneCycle), {3, 0}).checkpoint_every, 10);
  EXPECT_EQ(fit_to_budget(config(learn::ScheduleKind::kOneCycle), {0.01, 0}).checkpoint_every, 500);
}

TEST(Budget, WithoutLimitStepsAreTheConfigs) {
  auto unlimited = config(learn::ScheduleKind::kOneCycle);
  unlimited.max_minutes = 0;
  const auto fitted = fit_to_budget(unlimited, {10, 10});
  EXPECT_EQ(fitted.schedule.steps, 1000);
  EXPECT_EQ(fitted.max_minutes, 0);
}

}  // namespace
}  // namespace fluidsplat::reproduce

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/student_t.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace fluidsplat::theory {
namespace {

TEST(StudentT, HasItsClosedForms) {
  for (double t : {-3.0, -0.4, 0.0, 0.7, 2.5, 40.0}) {
    EXPECT_NEAR(student_t_probability(t, 1), 0.5 + std::atan(t) / std::numbers::pi, 1e-13);
    EXPECT_NEAR(student_t_probability(t, 2), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-13);
    EXPECT_NEAR(student_t_probability(t, 1e7), 0.5 * std::erfc(-t / std::sqrt(2.0)), 1e-7);
  }
}

TEST(StudentT, GivesTheTabulatedHalfWidths) {
  EXPECT_NEAR(student_t_half_width(0.95, 1), 12.706, 1e-3);
  EXPECT_NEAR(student_t_half_width(0.95, 8), 2.306, 1e-3);
  EXPECT_NEAR(student_t_half_width(0.99, 5), 4.032, 1e-3);
}

}  // namespace
}  // namespace fluidsplat::theory

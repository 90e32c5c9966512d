// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat::theory {

// P(T <= t) for Student's t with `freedom` degrees of freedom.
double student_t_probability(double t, double freedom);

// The t with P(|T| <= t) = confidence: the half width of a two-sided interval, in standard errors.
double student_t_half_width(double confidence, double freedom);

}  // namespace fluidsplat::theory

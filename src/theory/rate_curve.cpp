// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/rate_curve.h"

namespace fluidsplat::theory {

void RateCurve::add(int count, const Vector& errors) {
  const double average = errors.mean(), n = double(errors.size());
  counts.push_back(count);
  mean.push_back(average);
  deviation.push_back(n > 1 ? std::sqrt((errors.array() - average).square().sum() / (n - 1)) : 0);
}

}  // namespace fluidsplat::theory

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "fma_peak.h"

#include <hwy/highway.h>

// Compiled for the processor it runs on (see CMakeLists.txt).
namespace hn = hwy::HWY_NAMESPACE;

double multiply_adds() {
  const hn::ScalableTag<float> d;
  constexpr int kChains = 12;
  constexpr long kSteps = 5'000'000;
  hn::Vec<decltype(d)> sum[kChains];
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Set(d, 0.1f * float(i));
  const auto a = hn::Set(d, 0.999f), b = hn::Set(d, 0.001f);
  for (long k = 0; k < kSteps; ++k) {
    for (int i = 0; i < kChains; ++i) sum[i] = hn::MulAdd(sum[i], a, b);
    asm volatile("");
  }
  auto total = sum[0];
  for (int i = 1; i < kChains; ++i) total = hn::Add(total, sum[i]);
  volatile float keep = hn::GetLane(total);
  (void)keep;
  return 2.0 * kSteps * kChains * double(hn::Lanes(d));
}

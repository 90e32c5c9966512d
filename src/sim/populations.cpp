// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/populations.h"

#include <algorithm>
#include <new>

namespace fluidsplat::sim {

namespace {

constexpr long kLine = 16;         // floats in a cache line
constexpr long kSkew = 5 * kLine;  // keeps the nine planes from falling on the same cache sets

}  // namespace

Populations::Populations(int nx, int ny) : nx_(nx), ny_(ny) {
  stride_ = kLine + (nx + kLine) / kLine * kLine;
  const long plane = (ny + 2) * stride_ + kLine + kSkew;
  const std::size_t count = static_cast<std::size_t>(plane * kDirections);
  block_.reset(static_cast<float*>(::operator new[](count * sizeof(float), std::align_val_t{64})));
  std::fill_n(block_.get(), count, 0.f);
  for (int i = 0; i < kDirections; ++i) planes_[i] = block_.get() + i * plane + stride_ + kLine;
}

void Populations::Free::operator()(float* p) const {
  ::operator delete[](p, std::align_val_t{64});
}

std::array<const float*, kDirections> Populations::planes() const {
  std::array<const float*, kDirections> result;
  std::copy(planes_.begin(), planes_.end(), result.begin());
  return result;
}

}  // namespace fluidsplat::sim

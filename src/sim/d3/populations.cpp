// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/populations.h"

#include <algorithm>
#include <new>

namespace fluidsplat::sim::d3 {

namespace {

constexpr Index kLine = 16;         // floats in a cache line
constexpr Index kSkew = 5 * kLine;  // keeps the planes from falling on the same cache sets

}  // namespace

Populations::Populations(const Size& size) : size_(size) {
  row_ = (size.nx + 2 + kLine - 1) / kLine * kLine;
  slab_ = (size.ny + 2) * row_;
  plane_ = (size.nz + 2) * slab_ + kSkew;
  origin_ = kLine + slab_ + row_;
  const Index count = kDirections * plane_ + 2 * kLine;
  block_.reset(static_cast<float*>(::operator new[](count * sizeof(float), std::align_val_t{64})));
  std::fill_n(block_.get(), count, 0.f);
}

void Populations::Free::operator()(float* p) const {
  ::operator delete[](p, std::align_val_t{64});
}

}  // namespace fluidsplat::sim::d3

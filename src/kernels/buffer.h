// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "base/index.h"

namespace fluidsplat::kernels {

// Floats on a cache-line boundary, zero at first.  Large ones ask for large pages: weights and sums are read end to end
// for every tile, and with small pages scattered in memory they collide in the second-level cache.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Index count) : size_(count) {
    const Index bytes = std::max<Index>(1, count) * Index{sizeof(float)};
    const auto align = std::align_val_t(bytes < kLargePage ? 64 : kLargePage);
    data_ = {static_cast<float*>(::operator new(bytes, align)), Free{align}};
#ifdef __linux__
    if (bytes >= kLargePage) madvise(data_.get(), bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
    std::fill_n(data_.get(), count, 0.0f);
  }
  float* data() {
    return data_.get();
  }
  const float* data() const {
    return data_.get();
  }
  Index size() const {
    return size_;
  }

 private:
  static constexpr Index kLargePage = Index{2} << 20;
  struct Free {
    std::align_val_t align;
    void operator()(float* p) const { ::operator delete(p, align); }
  };
  std::unique_ptr<float, Free> data_;
  Index size_ = 0;
};

// Hands out consecutive cache-line-aligned pieces of one buffer.  With a null base it only adds up what would be
// needed, so that one function both measures and carves a workspace.
class Carver {
 public:
  explicit Carver(float* base = nullptr) : base_(base) {}
  float* take(Index count) {
    float* piece = base_ ? base_ + used_ : nullptr;
    used_ += (count + 15) / 16 * 16;
    return piece;
  }
  Index used() const { return used_; }

 private:
  float* base_;
  Index used_ = 0;
};

}  // namespace fluidsplat::kernels

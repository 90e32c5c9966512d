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

namespace fluidsplat::kernels {

// Floats on a cache-line boundary, zero at first.  Large ones ask for large pages: weights and sums are read
// end to end for every tile, and with small pages scattered in memory they collide in the second-level cache.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count) : size_(count) {
    const std::size_t bytes = std::max<std::size_t>(1, count) * sizeof(float);
    const std::align_val_t align{bytes < kLargePage ? 64 : kLargePage};
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
  std::size_t size() const {
    return size_;
  }

 private:
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;
  struct Free {
    std::align_val_t align;
    void operator()(float* p) const { ::operator delete(p, align); }
  };
  std::unique_ptr<float, Free> data_;
  std::size_t size_ = 0;
};

// Hands out consecutive cache-line-aligned pieces of one buffer.  With a null base it only adds up what would
// be needed, so that one function both measures and carves a workspace.
class Carver {
 public:
  explicit Carver(float* base = nullptr) : base_(base) {}
  float* take(std::size_t count) {
    float* piece = base_ ? base_ + used_ : nullptr;
    used_ += (count + 15) / 16 * 16;
    return piece;
  }
  std::size_t used() const { return used_; }

 private:
  float* base_;
  std::size_t used_ = 0;
};

}  // namespace fluidsplat::kernels

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace fluidsplat::kernels {

// Floats on a cache-line boundary, zero at first.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count) : size_(count) {
    data_.reset(static_cast<float*>(::operator new(std::max<std::size_t>(1, count) * sizeof(float), kAlign)));
    std::fill_n(data_.get(), count, 0.0f);
  }
  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::align_val_t kAlign{64};
  struct Free {
    void operator()(float* p) const { ::operator delete(p, kAlign); }
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

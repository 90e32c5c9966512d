// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: counts what is allocated with new.  This header replaces the global operator new of a whole program, so
// one file of a test program may include it and no library.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace fluidsplat {
namespace allocation_counter {

inline std::atomic<bool> counting = false;
inline std::atomic<int> count = 0;

inline void* allocate(std::size_t size, std::size_t alignment) {
  if (counting) ++count;
  void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace allocation_counter

// How often `work` allocates, on any thread.
template <class Work>
int allocations_of(Work work) {
  allocation_counter::count = 0;
  allocation_counter::counting = true;
  work();
  allocation_counter::counting = false;
  return allocation_counter::count;
}

}  // namespace fluidsplat

// The array forms call these.  Not inlined, or the compiler would see new of one kind meet delete of another.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return fluidsplat::allocation_counter::allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return fluidsplat::allocation_counter::allocate(size, std::size_t(alignment));
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace fluidsplat {

// A counter-based generator: the stream is a pure function of the key, so work keyed by (seed, step, slot) gives the
// same numbers after a resume and on any thread, with no state to save.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t a = 0, std::uint64_t b = 0) {
    key_ = mix(mix(mix(seed + 0x9e3779b97f4a7c15u) ^ a) + 0xbf58476d1ce4e5b9u * (b + 1));
  }

  std::uint64_t bits() { return mix(key_ + 0x9e3779b97f4a7c15u * ++counter_); }
  // Uniform in [0, 1).
  double uniform() { return double(bits() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // Uniform integer in [0, n), n >= 1.
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits()) * n) >> 64);
  }
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  static std::uint64_t mix(std::uint64_t x) {  // the SplitMix64 finaliser
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t key_, counter_ = 0;
};

}  // namespace fluidsplat

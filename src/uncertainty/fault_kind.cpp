// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/fault_kind.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fluidsplat::uncertainty {
namespace {

constexpr Index kInstantsThatTell = 8;
// A sensor that is off in fewer instants than this share, never for long, spikes.
constexpr double kSeldom = 0.25;
constexpr Index kLong = 3;
// One that varies by less than this share of what it should is stuck.
constexpr double kStill = 0.05;
// So many usual differences are far off; one that is within this many of them half of the time is sound most of the
// time.
constexpr double kFar = 4, kNear = 1.2;
// A drift is a line through its differences that explains this share of their variance, at so many standard errors of
// its slope, and changes by more than their mean.
constexpr double kExplained = 0.4, kSure = 4;

struct Moments {
  double mean = 0, spread = 0;
};
Moments moments(const std::vector<double>& x) {
  Moments out;
  for (double v : x) out.mean += v / double(x.size());
  for (double v : x) out.spread += (v - out.mean) * (v - out.mean) / double(x.size());
  out.spread = std::sqrt(out.spread);
  return out;
}

// The longest time that it says the same, or nearly so.
Index longest_still(const std::vector<double>& said, double tolerance) {
  Index longest = 0;
  for (std::size_t first = 0, i = 0; i < said.size(); ++i) {
    if (std::abs(said[i] - said[first]) > tolerance) first = i;
    longest = std::max(longest, Index(i - first) + 1);
  }
  return longest;
}

// Far off now and then, never for long, and sound in between.
bool is_spiking(const std::vector<double>& steps) {
  Index far = 0, run = 0, longest = 0;
  std::vector<double> sizes;
  for (double s : steps) {
    sizes.push_back(std::abs(s));
    run = sizes.back() > kFar ? run + 1 : 0;
    far += run > 0;
    longest = std::max(longest, run);
  }
  std::ranges::nth_element(sizes, sizes.begin() + std::ssize(sizes) / 2);
  return far > 0 && double(far) < kSeldom * double(steps.size()) && longest <= kLong && sizes[sizes.size() / 2] < kNear;
}

bool is_drift(const std::vector<double>& t, const std::vector<double>& x) {
  const auto mt = moments(t), mx = moments(x);
  if (!(mt.spread > 0 && mx.spread > 0)) return false;
  double product = 0;
  for (std::size_t i = 0; i < t.size(); ++i) product += (t[i] - mt.mean) * (x[i] - mx.mean) / double(t.size());
  const double r = product / (mt.spread * mx.spread), slope = product / (mt.spread * mt.spread);
  const double errors = std::abs(r) * std::sqrt(double(t.size() - 2) / std::max(1e-12, 1 - r * r));
  return r * r > kExplained && errors > kSure && std::abs(slope) * (t.back() - t.front()) > std::abs(mx.mean);
}

}  // namespace

SensorState fault_of(const SensorHistory& history) {
  std::map<SensorState, Index> count;
  // From where it is first off.
  std::vector<double> time, steps, said, expected;
  Index off = 0, run = 0, longest = 0;
  for (Index i = 0; i < std::ssize(history); ++i) {
    const auto& f = history[i];
    ++count[f.state];
    const bool is_off = f.state == SensorState::disagrees || f.state == SensorState::swapped;
    run = is_off ? run + 1 : 0;
    longest = std::max(longest, run);
    off += is_off;
    if (off == 0 || std::isnan(f.expected)) continue;
    time.push_back(double(i));
    steps.push_back(f.steps);
    said.push_back(f.said);
    expected.push_back(f.expected);
  }
  const Index silent = count[SensorState::silent], outside = count[SensorState::out_of_range];
  if (off + silent + outside == 0) return SensorState::fine;
  if (silent >= std::max(off, outside)) return SensorState::silent;
  if (outside >= off) return SensorState::out_of_range;
  if (2 * count[SensorState::swapped] >= off) return SensorState::swapped;
  const Index heard = std::ssize(history) - silent;
  if (heard >= kInstantsThatTell && double(off) < kSeldom * double(heard) && longest <= kLong)
    return SensorState::spiking;
  if (std::min(off, std::ssize(steps)) < kInstantsThatTell) return SensorState::disagrees;
  const auto still = longest_still(said, kStill * moments(expected).spread);
  if (still >= kInstantsThatTell && 2 * still >= std::ssize(said)) return SensorState::stuck;
  if (is_spiking(steps)) return SensorState::spiking;
  if (is_drift(time, steps)) return SensorState::drifting;
  // A step is what a sound sensor is usually off by.
  const auto m = moments(steps);
  return m.mean * m.mean > m.spread * m.spread - 1 ? SensorState::biased : SensorState::noisy;
}

}  // namespace fluidsplat::uncertainty

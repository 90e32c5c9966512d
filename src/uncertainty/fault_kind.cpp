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
// A line through its differences that explains so much of them is a drift; a mean of so many spreads a bias.
constexpr double kExplained = 0.6, kSteady = 2;

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

// The share of the variance that a straight line explains.
double explained_by_line(const std::vector<double>& t, const std::vector<double>& x) {
  const auto mt = moments(t), mx = moments(x);
  double product = 0;
  for (std::size_t i = 0; i < t.size(); ++i) product += (t[i] - mt.mean) * (x[i] - mx.mean) / double(t.size());
  const double r = mt.spread > 0 && mx.spread > 0 ? product / (mt.spread * mx.spread) : 0;
  return r * r;
}

}  // namespace

SensorState fault_of(const SensorHistory& history) {
  std::map<SensorState, Index> count;
  std::vector<double> time, steps, said, expected;
  Index run = 0, longest = 0;
  for (Index i = 0; i < std::ssize(history); ++i) {
    const auto& f = history[i];
    ++count[f.state];
    const bool is_off = f.state == SensorState::disagrees || f.state == SensorState::swapped;
    run = is_off ? run + 1 : 0;
    longest = std::max(longest, run);
    if (!is_off) continue;
    time.push_back(double(i));
    steps.push_back(f.steps);
    said.push_back(f.said);
    expected.push_back(f.expected);
  }
  const Index off = std::ssize(time), silent = count[SensorState::silent], outside = count[SensorState::out_of_range];
  if (off + silent + outside == 0) return SensorState::fine;
  if (silent >= std::max(off, outside)) return SensorState::silent;
  if (outside >= off) return SensorState::out_of_range;
  if (2 * count[SensorState::swapped] >= off) return SensorState::swapped;
  const Index heard = std::ssize(history) - silent;
  if (heard >= kInstantsThatTell && double(off) < kSeldom * double(heard) && longest <= kLong)
    return SensorState::spiking;
  if (off < kInstantsThatTell) return SensorState::disagrees;
  if (moments(said).spread < kStill * moments(expected).spread) return SensorState::stuck;
  if (explained_by_line(time, steps) > kExplained) return SensorState::drifting;
  const auto m = moments(steps);
  return std::abs(m.mean) > kSteady * m.spread ? SensorState::biased : SensorState::noisy;
}

}  // namespace fluidsplat::uncertainty

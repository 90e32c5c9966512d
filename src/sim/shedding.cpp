// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/shedding.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace fluidsplat::sim {

void SheddingMeter::push(double time, double lift, double drag) {
  if (!first_ && last_lift_ < 0 && lift >= 0) {
    const double crossing = last_time_ + (time - last_time_) * (-last_lift_) / (lift - last_lift_);
    if (open_) {
      cycles_.push_back({start_, crossing - start_, max_, min_, drag_sum_ / double(samples_)});
    }
    open_ = true;
    start_ = crossing;
    max_ = min_ = lift;
    drag_sum_ = 0;
    samples_ = 0;
  }
  max_ = std::max(max_, lift);
  min_ = std::min(min_, lift);
  drag_sum_ += drag;
  ++samples_;
  first_ = false;
  last_time_ = time;
  last_lift_ = lift;
}

bool SheddingMeter::settled(double tolerance, int count) const {
  if (int(cycles_.size()) < count + 1) return false;
  for (auto c = cycles_.end() - count; c != cycles_.end(); ++c) {
    const SheddingCycle& before = *(c - 1);
    const double size = tolerance * std::max(c->lift_max, -c->lift_min);
    if (std::abs(c->lift_max - before.lift_max) > size || std::abs(c->lift_min - before.lift_min) > size ||
        std::abs(c->lift_max + c->lift_min) > size) {
      return false;
    }
  }
  return true;
}

SheddingMeter::Summary SheddingMeter::summary(double since) const {
  Summary s;
  for (const SheddingCycle& c : cycles_) {
    if (c.start < since) continue;
    ++s.cycles;
    s.period += c.period;
    s.lift_amplitude += 0.5 * (c.lift_max - c.lift_min);
    s.drag_mean += c.drag_mean * c.period;
  }
  if (s.cycles == 0) return s;
  s.drag_mean /= s.period;
  s.period /= s.cycles;
  s.lift_amplitude /= s.cycles;
  return s;
}

std::vector<double> SheddingMeter::crossings(double since) const {
  std::vector<double> times;
  for (const SheddingCycle& c : cycles_)
    if (c.start >= since) times.push_back(c.start);
  if (open_ && start_ >= since) times.push_back(start_);
  return times;
}

double SheddingMeter::phase(double time) const {
  const auto after = std::upper_bound(cycles_.begin(), cycles_.end(), time,
                                      [](double t, const SheddingCycle& cycle) { return t < cycle.start; });
  assert(after != cycles_.begin());
  const SheddingCycle& cycle = *(after - 1);
  const double turns = (time - cycle.start) / cycle.period;
  return turns - std::floor(turns);
}

}  // namespace fluidsplat::sim

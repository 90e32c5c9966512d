// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/pattern_habits.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::uncertainty {
namespace {

// One is left out, one must be left to ask, and a reading is held against more than itself.
constexpr Index kFewest = 3;
// Patterns that are kept; a series has few, and a search among suspects tries some more.
constexpr std::size_t kMostPatterns = 1000;

}  // namespace

PatternHabits::PatternHabits(std::shared_ptr<const Calibration> calibration, InstantReadings own, Expectation model)
    : calibration_(std::move(calibration)),
      own_(std::move(own)),
      expectation_(calibration_->law, own_, std::move(model)),
      strange_(*calibration_),
      all_speak_(strange_.instants()),
      normalized_(own_.size()) {
  std::ranges::sort(all_speak_);
  for (const auto& rung : calibration_->rungs) {
    auto& habit = by_rung_.emplace_back();
    if (!rung.knows_sensors()) continue;
    habit.scale = rung.reading_scale;
    habit.disagreement = rung.disagreement;
    habit.consistency = rung.consistency;
    habit.block_steps = calibration_->block_steps;
  }
}

const SensorHabit* PatternHabits::of(const float* values) {
  const Index silent = own_.silent(values);
  const auto* rung = calibration_->rung(silent);
  if (!rung) return nullptr;
  if (silent == 0 || !knows_patterns()) {
    const auto& habit = by_rung_[rung - calibration_->rungs.data()];
    return habit.scale.empty() ? nullptr : &habit;
  }
  if (own_.sensors() - silent < kFewest) return nullptr;
  std::vector<bool> speak(own_.size());
  for (Index v = 0; v < own_.size(); ++v) speak[v] = !std::isnan(values[own_.readings()[v].place]);
  const auto it = by_pattern_.find(speak);
  if (it != by_pattern_.end()) return &it->second;
  if (by_pattern_.size() >= kMostPatterns) by_pattern_.clear();
  return &by_pattern_.emplace(speak, make(speak)).first->second;
}

SensorHabit PatternHabits::make(const std::vector<bool>& speak) {
  const auto& past = calibration_->instants;
  const auto differences = [&](const model::Matrix& normalized) {
    const auto told = expectation_.by_law(normalized, speak);
    std::vector<std::vector<float>> out(normalized.rows(), std::vector<float>(own_.size()));
    for (Index i = 0; i < normalized.rows(); ++i)
      for (Index v = 0; v < own_.size(); ++v)
        out[i][v] = float((double(normalized(i, v)) - told(i, v)) * double(own_.readings()[v].scale));
    return out;
  };
  auto out = habit_of(differences(past.calibrated), past.group, usual_differences(differences(past.usual), own_));
  for (Index i = 0; i < past.calibrated.rows(); ++i) {
    for (Index v = 0; v < own_.size(); ++v)
      normalized_[v] = speak[v] ? past.calibrated(i, v) : std::numeric_limits<float>::quiet_NaN();
    out.instants[i] = strange_.of(normalized_.data(), out.instants[i]);
  }
  std::ranges::sort(out.instants);
  return out;
}

double PatternHabits::strangeness(const float* values, double consistency) {
  own_.normalize(values, normalized_.data());
  const double here = strange_.of(normalized_.data(), consistency);
  const auto* habit = of(values);
  if (!habit || habit->instants.empty() || !(here > 0)) return here;
  const auto& from = habit->instants;  // as many as all_speak_, of the same instants
  const auto at = std::ranges::lower_bound(from, here) - from.begin();
  // Beyond what was ever seen, in proportion.
  if (at == 0) return from.front() > 0 ? here * all_speak_.front() / from.front() : all_speak_.front();
  if (at == std::ssize(from)) return from.back() > 0 ? here * all_speak_.back() / from.back() : here;
  const double part = (here - from[at - 1]) / (from[at] - from[at - 1]);
  return (1 - part) * all_speak_[at - 1] + part * all_speak_[at];
}

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/shift_alarm.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::uncertainty {
namespace {

// So many scores say all there is to know of a law; later ones are no longer remembered.
constexpr std::size_t kMostKnown = 100000;

double bet(double p) {
  const double l = std::log(p);
  // Near 1 the quotient is 0 / 0; its limit is 1/2, reached linearly.
  if (p > 0.999) return 0.5 - l / 6;
  return (1 - p + p * l) / (p * l * l);
}

}  // namespace

ShiftAlarm::ShiftAlarm(const ScoreTable& calibrated, Index block, double blocks_between_false_alarms)
    : block_(std::max(Index(1), block)), threshold_(blocks_between_false_alarms) {
  double before = 0;
  for (std::size_t i = 0; i < calibrated.scores().size(); ++i) {
    const auto count = std::lround((calibrated.levels()[i] - before) * double(calibrated.groups()));
    known_.insert(known_.end(), count, calibrated.scores()[i]);
    before = calibrated.levels()[i];
  }
}

double ShiftAlarm::p_value(double score) {
  const auto s = float(score);
  const auto [first, last] = std::equal_range(known_.begin(), known_.end(), s);
  const auto larger = double(known_.end() - last), same = double(last - first) + 1;
  const double p = (larger + (1 - random_.uniform()) * same) / (double(known_.size()) + 1);
  if (known_.size() < kMostKnown) known_.insert(last, s);
  return p;
}

bool ShiftAlarm::add(double score) {
  squares_ += score * score;
  if (++waiting_ < block_) return fired_;
  statistic_ = (1 + statistic_) * bet(p_value(std::sqrt(squares_ / double(block_))));
  fired_ = fired_ || statistic_ >= threshold_;
  waiting_ = 0;
  squares_ = 0;
  return fired_;
}

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/conformal.h"

#include <algorithm>
#include <cmath>

#include "base/misuse.h"

namespace fluidsplat::uncertainty {
namespace {

// What sums and divisions may have lost of a level.
constexpr double kRounding = 1e-6;
// Where few entries are kept, half of them are for levels above this.
constexpr double kTail = 0.9;

std::vector<double> kept_levels(Index most) {
  std::vector<double> out;
  const Index half = most / 2;
  for (Index i = 1; i <= half; ++i) out.push_back(kTail * double(i) / double(half));
  for (Index i = 1; i <= most - half; ++i) out.push_back(kTail + (1 - kTail) * double(i) / double(most - half));
  return out;
}

}  // namespace

ScoreTable::ScoreTable(std::vector<std::vector<float>> groups, Index most) : groups_(std::ssize(groups)) {
  struct Step {
    float score;
    double weight;
  };
  std::vector<Step> steps;
  for (const auto& scores : groups) {
    if (scores.empty()) misuse("a group of scores is empty");
    for (float s : scores) {
      if (std::isnan(s)) misuse("a score is not a number");
      steps.push_back({s, 1.0 / (double(groups_) * double(scores.size()))});
    }
  }
  groups.clear();
  std::ranges::sort(steps, {}, &Step::score);
  const auto wanted = most > 0 && std::ssize(steps) > most ? kept_levels(most) : std::vector<double>();
  double reached = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    reached += steps[i].weight;
    if (i + 1 < steps.size() && steps[i + 1].score == steps[i].score) continue;
    const bool is_last = i + 1 == steps.size();
    if (is_last) reached = 1;
    if (wanted.empty()) {
      levels_.push_back(float(reached));
      scores_.push_back(steps[i].score);
      continue;
    }
    // The last level, 1, is for the last score alone.
    if (!is_last && (next + 1 == wanted.size() || reached < wanted[next] - kRounding)) continue;
    // One score may reach several of the levels: the highest says it all.
    while (next + 1 < wanted.size() && wanted[next] <= reached + kRounding) ++next;
    levels_.push_back(is_last ? 1.0f : float(wanted[next - 1]));
    scores_.push_back(steps[i].score);
  }
}

ScoreTable::ScoreTable(Index groups, std::vector<float> levels, std::vector<float> scores)
    : groups_(groups), levels_(std::move(levels)), scores_(std::move(scores)) {
  if (levels_.size() != scores_.size() || levels_.empty() || groups_ < 1)
    misuse("a table of {} groups has {} levels and {} scores", groups_, levels_.size(), scores_.size());
}

double ScoreTable::quantile(double level) const {
  const double needed = level * double(groups_ + 1) / double(groups_);
  const auto it = std::ranges::lower_bound(levels_, needed - kRounding, {}, [](float l) { return double(l); });
  if (needed > 1 + kRounding || it == levels_.end()) return std::numeric_limits<double>::infinity();
  return scores_[it - levels_.begin()];
}

double ScoreTable::p_value(double score) const {
  // The share of scores that are smaller.
  const auto it = std::ranges::lower_bound(scores_, score, {}, [](float s) { return double(s); });
  const double below = it == scores_.begin() ? 0 : levels_[it - scores_.begin() - 1];
  return std::min(1.0, (1 + double(groups_) * (1 - below)) / double(groups_ + 1));
}

SignedTables::SignedTables(std::vector<std::vector<float>> groups, Index most) {
  above = ScoreTable(groups, most);
  for (auto& scores : groups)
    for (float& s : scores) s = -s;
  below = ScoreTable(groups, most);
  for (auto& scores : groups)
    for (float& s : scores) s = std::abs(s);
  size = ScoreTable(std::move(groups), most);
}

SignedTables::Margins SignedTables::margins(double level, Side side) const {
  switch (side) {
    case Side::both: {
      const double width = size.quantile(level);
      return {width, width};
    }
    case Side::upper:
      return {.up = above.quantile(level)};
    case Side::lower:
      return {.down = below.quantile(level)};
  }
  return {};
}

}  // namespace fluidsplat::uncertainty

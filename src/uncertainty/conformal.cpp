// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/conformal.h"

#include <algorithm>
#include <cmath>

#include "base/misuse.h"
#include "base/random.h"

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

// A score and the share of all groups that it is, or with those below it.
struct Step {
  float score;
  double weight;
};

// See ScoreTable::holds; `steps` rise, their weights are sums.
std::vector<float> mean_holds(const std::vector<std::vector<float>>& groups, const std::vector<Step>& steps,
                              Index throws) {
  const auto n = std::ssize(groups);
  std::vector<double> sums(n + 2);
  std::vector<float> drawn(groups.size());
  Random random(1);
  for (Index t = 0; t < throws; ++t) {
    for (Index g = 0; g < n; ++g) drawn[g] = groups[g][random.below(groups[g].size())];
    std::ranges::sort(drawn);
    auto at = steps.begin();
    for (Index k = 0; k < n; ++k) {
      at = std::lower_bound(at, steps.end(), drawn[k], [](const Step& s, float score) { return s.score < score; });
      sums[k + 1] += at->weight;
    }
    sums[n + 1] += 1;
  }
  std::vector<float> out;
  for (double s : sums) out.push_back(float(s / double(throws)));
  return out;
}

}  // namespace

ScoreTable::ScoreTable(std::vector<std::vector<float>> groups, Index most, Index throws) : groups_(std::ssize(groups)) {
  std::vector<Step> steps;
  for (const auto& scores : groups) {
    if (scores.empty()) misuse("a group of scores is empty");
    for (float s : scores) {
      if (std::isnan(s)) misuse("a score is not a number");
      steps.push_back({s, 1.0 / (double(groups_) * double(scores.size()))});
    }
  }
  std::ranges::sort(steps, {}, &Step::score);
  // Of equal scores one is left.
  std::size_t kept = 0;
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    sum += steps[i].weight;
    if (i + 1 == steps.size() || steps[i + 1].score != steps[i].score) steps[kept++] = {steps[i].score, sum};
  }
  steps.resize(kept);
  if (!steps.empty()) steps.back().weight = 1;
  const bool is_single = std::ranges::all_of(groups, [](const auto& g) { return g.size() == 1; });
  if (is_single || throws > 0) holds_ = mean_holds(groups, steps, is_single ? 1 : throws);
  groups.clear();
  const auto wanted = most > 0 && std::ssize(steps) > most ? kept_levels(most) : std::vector<double>();
  std::size_t next = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double reached = steps[i].weight;
    const bool is_last = i + 1 == steps.size();
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

ScoreTable::ScoreTable(Index groups, std::vector<float> levels, std::vector<float> scores, std::vector<float> holds)
    : groups_(groups), levels_(std::move(levels)), scores_(std::move(scores)), holds_(std::move(holds)) {
  if (levels_.size() != scores_.size() || levels_.empty() || groups_ < 1 ||
      (!holds_.empty() && std::ssize(holds_) != groups_ + 2))
    misuse("a table of {} groups has {} levels, {} scores and {} numbers of what they hold", groups_, levels_.size(),
           scores_.size(), holds_.size());
}

double ScoreTable::quantile(double level, Promise promise) const {
  if (level > highest_level() + kRounding) return std::numeric_limits<double>::infinity();
  if (promise == Promise::on_average) {
    if (!knows_average()) misuse("a table does not know what holds on average");
    const double place = level * double(groups_ + 1);
    const auto k = std::clamp(Index(place), Index(0), groups_);
    const double rest = place - double(k);
    return between((1 - rest) * double(holds_[k]) + rest * double(holds_[k + 1]));
  }
  const double needed = level * double(groups_ + 1) / double(groups_);
  const auto it = std::ranges::lower_bound(levels_, needed - kRounding, {}, [](float l) { return double(l); });
  if (it == levels_.end()) return std::numeric_limits<double>::infinity();
  return scores_[it - levels_.begin()];
}

double ScoreTable::between(double level) const {
  const auto i = std::ranges::lower_bound(levels_, level, {}, [](float l) { return double(l); }) - levels_.begin();
  if (i == 0) return scores_.front();
  if (i == std::ssize(levels_)) return scores_.back();
  const double below = levels_[i - 1], part = (level - below) / (double(levels_[i]) - below);
  return (1 - part) * double(scores_[i - 1]) + part * double(scores_[i]);
}

double ScoreTable::p_value(double score) const {
  // The share of scores that are smaller.
  const auto it = std::ranges::lower_bound(scores_, score, {}, [](float s) { return double(s); });
  const double below = it == scores_.begin() ? 0 : levels_[it - scores_.begin() - 1];
  return std::min(1.0, (1 + double(groups_) * (1 - below)) / double(groups_ + 1));
}

SignedTables::SignedTables(std::vector<std::vector<float>> groups, Index most, Index throws) {
  above = ScoreTable(groups, most, throws);
  for (auto& scores : groups)
    for (float& s : scores) s = -s;
  below = ScoreTable(groups, most, throws);
  for (auto& scores : groups)
    for (float& s : scores) s = std::abs(s);
  size = ScoreTable(std::move(groups), most, throws);
}

SignedTables::Margins SignedTables::margins(double level, Side side, Promise promise) const {
  switch (side) {
    case Side::both: {
      const double width = size.quantile(level, promise);
      return {width, width};
    }
    case Side::upper:
      return {.up = above.quantile(level, promise)};
    case Side::lower:
      return {.down = below.quantile(level, promise)};
  }
  return {};
}

}  // namespace fluidsplat::uncertainty

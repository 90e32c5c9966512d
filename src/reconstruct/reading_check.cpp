// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/reading_check.h"

#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace fluidsplat::reconstruct {
namespace {

// A reading this many spreads beyond the range of training is far outside it.
constexpr double kBeyond = 3;
// What the other sensors suggest may differ from a reading by this many times what it usually does.
constexpr double kDisagrees = 6;
// A sensor that changes by less than this share of its spread in training hardly changes; so many rows tell.
constexpr double kStill = 0.02;
constexpr Index kRowsThatTell = 8;
constexpr std::size_t kNamed = 4;

// "a; b; c and 5 more"
std::string some_of(const std::vector<std::string>& all, const char* separator) {
  std::vector<std::string> shown(all.begin(), all.begin() + std::min(std::ssize(all), Index(kNamed)));
  auto text = fmt::format("{}", fmt::join(shown, separator));
  if (all.size() > kNamed) text += fmt::format("{}and {} more", separator, all.size() - kNamed);
  return text;
}

}  // namespace

ReadingCheck::ReadingCheck(const KnownReadings& known, const field::Schema& schema, const field::SensorLayout& sensors,
                           bool own)
    : known_(known),
      range_(own && known.of_reading.size() > 0 ? known.of_reading : known.of_channel),
      own_(own && known.of_reading.size() > 0) {
  const auto names = reading_columns(schema, sensors);
  Index number = 0;
  for (Index i = 0; i < sensors.size(); ++i)
    for (int c : sensors.channels[i]) {
      readings_.push_back({i, c, own_ ? number : c, names[number]});
      ++number;
    }
}

ReadingCheck::Bounds ReadingCheck::bounds(const Reading& r) const {
  const double step = known_.step(range_, r.number, r.channel);
  return {range_.low[r.number] - kBeyond * step, range_.high[r.number] + kBeyond * step, step};
}

std::string ReadingCheck::about(const field::Matrix& values) const {
  std::vector<std::string> outside;
  std::vector<bool> doubted(readings_.size());
  for (std::size_t v = 0; v < readings_.size(); ++v) {
    const auto& r = readings_[v];
    const double x = values(r.sensor, r.channel);
    const auto b = bounds(r);
    if (std::isnan(x) || (x >= b.low && x <= b.high)) continue;
    doubted[v] = true;
    outside.push_back(fmt::format("{} = {:.4g} (in training {:.4g} to {:.4g})", r.name, x, range_.low[r.number],
                                  range_.high[r.number]));
  }
  std::string text;
  if (!outside.empty()) text = "far outside what training saw: " + some_of(outside, ", ");
  const auto law = own_ && known_.residual.size() > 0 ? about_law(values, doubted) : "";
  return text + (text.empty() || law.empty() ? "" : "; ") + law;
}

// What the others say of a reading, in spreads from its mean.
double ReadingCheck::expected(const Eigen::VectorXd& z, Index v) const {
  return z[v] - known_.precision.row(v).dot(z) / known_.precision(v, v);
}

// One wrong reading makes the others look wrong too: the one that fits worst is set aside, and the rest judged again.
std::string ReadingCheck::about_law(const field::Matrix& values, const std::vector<bool>& doubted) const {
  const Index n = std::ssize(readings_);
  Eigen::VectorXd z(n);
  std::vector<Index> missing;
  for (Index v = 0; v < n; ++v) {
    const auto& r = readings_[v];
    const double x = values(r.sensor, r.channel);
    z[v] = bounds(r).step > 0 ? (x - range_.mean[v]) / bounds(r).step : 0;
    if (std::isnan(x) || doubted[v]) missing.push_back(v);
  }
  const Index spoken = n - std::ssize(missing);
  std::vector<std::string> odd;
  const auto& p = known_.precision;
  while (n - std::ssize(missing) >= 2) {
    // Those that say nothing take the values that fit the others best.
    for (auto v : missing) z[v] = 0;
    if (!missing.empty()) {
      const Eigen::VectorXd told = (p * z)(missing);
      z(missing) = -p(missing, missing).partialPivLu().solve(told);
    }
    Index worst = -1;
    double most = kDisagrees;
    for (Index v = 0; v < n; ++v) {
      const double off = std::abs(z[v] - expected(z, v)) / known_.residual[v];
      if (off <= most || std::ranges::find(missing, v) != missing.end()) continue;
      most = off;
      worst = v;
    }
    if (worst < 0) break;
    const auto& r = readings_[worst];
    odd.push_back(fmt::format("{} = {:.4g} (about {:.4g})", r.name, values(r.sensor, r.channel),
                              range_.mean[worst] + expected(z, worst) * bounds(r).step));
    missing.push_back(worst);
  }
  if (odd.empty()) return "";
  if (2 * std::ssize(odd) >= spoken)
    return "the readings do not fit each other: columns in another order, other sensors or another flow?";
  return "does not fit what the other sensors suggest: " + some_of(odd, ", ");
}

std::string ReadingCheck::about_changes(const std::vector<field::Matrix>& rows) const {
  if (!own_) return "";
  std::vector<std::string> still;
  for (const auto& r : readings_) {
    double sum = 0, squares = 0;
    Index count = 0;
    for (const auto& values : rows) {
      const double x = values(r.sensor, r.channel);
      if (std::isnan(x)) continue;
      sum += x;
      ++count;
    }
    if (count < kRowsThatTell || range_.spread[r.number] < bounds(r).step) continue;
    for (const auto& values : rows) {
      const double x = values(r.sensor, r.channel);
      if (!std::isnan(x)) squares += (x - sum / double(count)) * (x - sum / double(count));
    }
    const double spread = std::sqrt(squares / double(count));
    if (spread < kStill * range_.spread[r.number])
      still.push_back(fmt::format("{} (by {:.2g}, in training by {:.2g})", r.name, spread, range_.spread[r.number]));
  }
  if (still.empty()) return "";
  return fmt::format("hardly {} from row to row: {}; a stuck sensor, or other units?",
                     still.size() == 1 ? "changes" : "change", some_of(still, ", "));
}

}  // namespace fluidsplat::reconstruct

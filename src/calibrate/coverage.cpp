// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace fluidsplat::calibrate {
namespace {

using Scores = std::vector<std::vector<float>>;  // sizes of errors, per case; sorted
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double share_within(const std::vector<float>& sorted, double bound) {
  return double(std::upper_bound(sorted.begin(), sorted.end(), float(bound)) - sorted.begin()) / double(sorted.size());
}

// The mean over groups, each counted once, of the share of scores within a bound.
double mean_share(const Scores& scores, const Groups& groups, const std::vector<Index>& chosen, double bound) {
  double sum = 0;
  for (Index g : chosen) {
    double group = 0;
    for (Index i : groups[g]) group += share_within(scores[i], bound) / double(groups[g].size());
    sum += group / double(chosen.size());
  }
  return sum;
}

// ScoreTable::quantile without making the table: what it says is found by bisection.
double quantile(const Scores& scores, const Groups& groups, const std::vector<Index>& chosen, double level) {
  const double n = double(chosen.size()), needed = level * (n + 1) / n;
  if (needed > 1 + 1e-9) return kInfinite;
  double high = 0;
  for (Index g : chosen)
    for (Index i : groups[g]) high = std::max(high, double(scores[i].back()));
  double low = 0;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (mean_share(scores, groups, chosen, middle) >= needed - 1e-9 ? high : low) = middle;
  }
  return std::nextafter(float(high), std::numeric_limits<float>::infinity());
}

// What is judged by one kind of score.
struct Tally {
  double sum = 0, squares = 0;
  Index count = 0;
  void add(double share) {
    sum += share;
    squares += share * share;
    ++count;
  }
  double mean() const { return count > 0 ? sum / double(count) : std::numeric_limits<double>::quiet_NaN(); }
  double spread() const { return count > 1 ? std::sqrt(std::max(0.0, squares / double(count) - mean() * mean())) : 0; }
};

struct Split {
  std::vector<Index> calibrate, judge;
};

std::vector<Split> draw_splits(Index groups, Index splits, std::uint64_t seed) {
  std::vector<Split> out;
  for (Index s = 0; s < splits; ++s) {
    std::vector<Index> order(groups);
    std::iota(order.begin(), order.end(), 0);
    Random random(seed, s);
    random.shuffle(order);
    const auto half = order.begin() + groups / 2;
    out.push_back({{order.begin(), half}, {half, order.end()}});
  }
  return out;
}

}  // namespace

std::vector<CoverageRow> coverage_over_splits(const std::vector<RungErrors>& errors, const Groups& groups, Index splits,
                                              const std::vector<double>& levels, std::uint64_t seed) {
  const auto drawn = draw_splits(std::ssize(groups), splits, seed);
  std::vector<CoverageRow> out;
  for (const auto& rung : errors) {
    const auto& first = rung.cases.front();
    const Index channels = std::ssize(first.pointwise), functionals = std::ssize(first.functionals);
    const auto sizes = [&](auto&& of) {
      Scores scores;
      for (const auto& c : rung.cases) {
        scores.push_back(of(c));
        for (float& s : scores.back()) s = std::abs(s);
        std::ranges::sort(scores.back());
      }
      return scores;
    };
    for (double level : levels) {
      Tally points, fields, width;
      std::vector<Tally> numbers(functionals), regions(kRegions);
      std::vector<double> by_split(splits);
      for (Index c = 0; c < channels; ++c) {
        const auto pointwise = sizes([&](const CaseErrors& e) { return e.pointwise[c]; });
        const auto largest = sizes([&](const CaseErrors& e) { return std::vector<float>{e.largest[c].size}; });
        for (Index s = 0; s < splits; ++s) {
          const auto& [calibrate, judge] = drawn[s];
          const double q = quantile(pointwise, groups, calibrate, level);
          if (q == kInfinite) continue;
          const double share = mean_share(pointwise, groups, judge, q);
          points.add(share);
          by_split[s] += share / double(channels);
          fields.add(mean_share(largest, groups, judge, quantile(largest, groups, calibrate, level)));
          double scale = 0, error = 0;
          for (Index g : judge)
            for (Index i : groups[g]) {
              scale += rung.cases[i].mean_scale[c];
              error += rung.cases[i].rms[c];
            }
          width.add(2 * q * scale / error);
          std::vector<double> inside(kRegions), all(kRegions);
          for (Index g : judge)
            for (Index i : groups[g])
              for (std::size_t k = 0; k < rung.cases[i].region.size(); ++k) {
                const auto where = rung.cases[i].region[k];
                all[where] += 1;
                inside[where] += std::abs(rung.cases[i].pointwise[c][k]) <= q;
              }
          for (int r = 0; r < kRegions; ++r)
            if (all[r] > 0) regions[r].add(inside[r] / all[r]);
        }
      }
      for (Index f = 0; f < functionals; ++f) {
        if (std::isnan(first.functionals[f])) continue;
        const auto scores = sizes([&](const CaseErrors& e) { return std::vector<float>{e.functionals[f]}; });
        for (const auto& [calibrate, judge] : drawn)
          if (const double q = quantile(scores, groups, calibrate, level); q < kInfinite)
            numbers[f].add(mean_share(scores, groups, judge, q));
      }
      Tally spread;
      for (double s : by_split) spread.add(s);
      CoverageRow row{rung.silent,
                      level,
                      points.mean(),
                      spread.spread(),
                      fields.mean(),
                      width.mean(),
                      {},
                      {},
                      points.count / std::max(Index(1), channels)};
      for (const auto& t : numbers) row.functionals.push_back(t.mean());
      for (const auto& t : regions) row.regions.push_back(t.mean());
      out.push_back(std::move(row));
    }
  }
  return out;
}

std::string coverage_csv(const std::vector<CoverageRow>& rows,
                         const std::vector<uncertainty::Functional>& functionals) {
  std::string out = "silent,level,splits,pointwise,pointwise_spread,simultaneous,width";
  for (const char* region : kRegionNames) out += fmt::format(",{}", region);
  for (const auto& f : functionals) out += "," + f.name;
  for (const auto& r : rows) {
    out += fmt::format("\n{},{:g},{},{:.4f},{:.4f},{:.4f},{:.4g}", r.silent, r.level, r.splits, r.pointwise,
                       r.pointwise_spread, r.simultaneous, r.width);
    for (double v : r.regions) out += std::isnan(v) ? "," : fmt::format(",{:.4f}", v);
    for (double v : r.functionals) out += std::isnan(v) ? "," : fmt::format(",{:.4f}", v);
  }
  return out + "\n";
}

}  // namespace fluidsplat::calibrate

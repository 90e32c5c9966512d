// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "calibrate/binned_scores.h"

namespace fluidsplat::calibrate {
namespace {

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

std::vector<Split> draw_splits(Index groups, Index splits, std::uint64_t seed, double share) {
  std::vector<Split> out;
  for (Index s = 0; s < splits; ++s) {
    std::vector<Index> order(groups);
    std::iota(order.begin(), order.end(), 0);
    Random random(seed, s);
    random.shuffle(order);
    const auto half = order.begin() + calibrating_groups(groups, share);
    out.push_back({{order.begin(), half}, {half, order.end()}});
  }
  return out;
}

}  // namespace

Index calibrating_groups(Index groups, double share) {
  return std::clamp(Index(share * double(groups)), Index(1), groups - 1);
}

std::vector<CoverageRow> coverage_over_splits(const std::vector<RungErrors>& errors, const Groups& groups, Index splits,
                                              const std::vector<double>& levels, std::uint64_t seed, double share) {
  const auto drawn = draw_splits(std::ssize(groups), splits, seed, share);
  std::vector<CoverageRow> out;
  for (const auto& rung : errors) {
    const auto& first = rung.cases.front();
    const Index channels = std::ssize(first.pointwise), functionals = std::ssize(first.functionals);
    const Index classes = std::ssize(first.mean_scale.front());
    // Sizes of errors by group.
    const auto gathered = [&](auto&& of) {
      std::vector<std::vector<float>> scores;
      for (const auto& group : groups) {
        auto& sizes = scores.emplace_back();
        for (Index i : group)
          for (float s : of(rung.cases[i])) sizes.push_back(std::abs(s));
      }
      return scores;
    };
    // What was drawn from a class of places, of `list` of a case.
    const auto of_class = [](const CaseErrors& e, Index k, const auto& list) {
      std::decay_t<decltype(list)> out;
      for (std::size_t i = 0; i < list.size(); ++i)
        if (e.place_class[i] == k) out.push_back(list[i]);
      return out;
    };
    std::vector<std::vector<std::vector<unsigned char>>> regions(classes);
    for (Index k = 0; k < classes; ++k)
      for (const auto& group : groups) {
        auto& kinds = regions[k].emplace_back();
        for (Index i : group)
          std::ranges::copy(of_class(rung.cases[i], k, rung.cases[i].region), std::back_inserter(kinds));
      }
    std::vector<BinnedScores> points, fields, numbers;  // points: [channel][class]
    for (Index c = 0; c < channels; ++c) {
      for (Index k = 0; k < classes; ++k)
        points.emplace_back(gathered([&](const CaseErrors& e) { return of_class(e, k, e.pointwise[c]); }), regions[k],
                            kRegions);
      fields.emplace_back(gathered([&](const CaseErrors& e) { return std::vector<float>{e.largest[c].size}; }));
    }
    // Functionals that are not known count as without error and are told of as unknown.
    const auto known = [](float error) { return std::isnan(error) ? 0.0f : error; };
    for (Index f = 0; f < functionals; ++f)
      numbers.emplace_back(gathered([&](const CaseErrors& e) { return std::vector<float>{known(e.functionals[f])}; }));
    const auto choices = [&](const std::vector<BinnedScores>& scores) {
      std::vector<std::vector<BinnedScores::Choice>> out(scores.size());
      for (std::size_t i = 0; i < scores.size(); ++i)
        for (Index s = 0; s < splits; ++s) out[i].push_back(scores[i].choose(drawn[s].calibrate, seed + s));
      return out;
    };
    const auto of_points = choices(points), of_fields = choices(fields), of_functionals = choices(numbers);
    for (auto promise : {uncertainty::Promise::at_least, uncertainty::Promise::on_average})
      for (double level : levels) {
        Tally shares, wholes, width, by_split;
        std::vector<Tally> of_numbers(functionals), of_regions(kRegions);
        for (Index s = 0; s < splits; ++s) {
          const auto& judge = drawn[s].judge;
          double mean_share = 0;
          for (Index c = 0; c < channels; ++c) {
            std::vector<Index> edges;
            for (Index k = c * classes; k < (c + 1) * classes; ++k)
              edges.push_back(points[k].quantile(of_points[k][s], level, promise));
            if (edges.front() == BinnedScores::kInfinite) continue;
            double share = 0;
            for (Index g : judge) {
              BinnedScores::Count count;
              for (Index k = 0; k < classes; ++k) count.add(points[c * classes + k].count(g, edges[k]));
              share += count.share() / double(judge.size());
            }
            shares.add(share);
            mean_share += share / double(channels);
            wholes.add(fields[c].share(judge, fields[c].quantile(of_fields[c][s], level, promise)));
            double half = 0, error = 0;
            for (Index g : judge)
              for (Index i : groups[g]) {
                for (Index k = 0; k < classes; ++k)
                  half += double(points[c * classes + k].score(edges[k])) * rung.cases[i].mean_scale[c][k];
                error += rung.cases[i].rms[c];
              }
            width.add(2 * half / error);
            for (int r = 0; r < kRegions; ++r) {
              BinnedScores::Count count;
              for (Index k = 0; k < classes; ++k) count.add(points[c * classes + k].count_of_kind(judge, r, edges[k]));
              if (count.all > 0) of_regions[r].add(count.share());
            }
          }
          by_split.add(mean_share);
          for (Index f = 0; f < functionals; ++f) {
            if (std::isnan(first.functionals[f])) continue;
            const auto edge = numbers[f].quantile(of_functionals[f][s], level, promise);
            if (edge != BinnedScores::kInfinite) of_numbers[f].add(numbers[f].share(judge, edge));
          }
        }
        CoverageRow row{.silent = rung.silent,
                        .promise = promise,
                        .level = level,
                        .pointwise = shares.mean(),
                        .pointwise_spread = by_split.spread(),
                        .simultaneous = wholes.mean(),
                        .width = width.mean(),
                        .splits = shares.count / std::max(Index(1), channels)};
        for (const auto& t : of_numbers) row.functionals.push_back(t.mean());
        for (const auto& t : of_regions) row.regions.push_back(t.mean());
        out.push_back(std::move(row));
      }
  }
  return out;
}

const char* name_of(uncertainty::Promise promise) {
  return promise == uncertainty::Promise::at_least ? "at least" : "on average";
}

std::string coverage_csv(const std::vector<CoverageRow>& rows,
                         const std::vector<uncertainty::Functional>& functionals) {
  std::string out = "silent,promise,level,splits,pointwise,pointwise_spread,simultaneous,width";
  for (const char* region : kRegionNames) out += fmt::format(",{}", region);
  for (const auto& f : functionals) out += "," + f.name;
  for (const auto& r : rows) {
    out += fmt::format("\n{},{},{:g},{},{:.4f},{:.4f},{:.4f},{:.4g}", r.silent, name_of(r.promise), r.level, r.splits,
                       r.pointwise, r.pointwise_spread, r.simultaneous, r.width);
    for (double v : r.regions) out += std::isnan(v) ? "," : fmt::format(",{:.4f}", v);
    for (double v : r.functionals) out += std::isnan(v) ? "," : fmt::format(",{:.4f}", v);
  }
  return out + "\n";
}

}  // namespace fluidsplat::calibrate

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/binned_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/misuse.h"
#include "base/random.h"

namespace fluidsplat::calibrate {
namespace {

constexpr Index kEdges = 2000, kThrows = 200;
constexpr double kRounding = 1e-6;

}  // namespace

BinnedScores::BinnedScores(const std::vector<std::vector<float>>& groups,
                           const std::vector<std::vector<unsigned char>>& kinds, int kind_count) {
  for (const auto& g : groups) edges_.insert(edges_.end(), g.begin(), g.end());
  if (std::ranges::any_of(edges_, [](float s) { return std::isnan(s); })) misuse("a score is not a number");
  std::ranges::sort(edges_);
  if (std::ssize(edges_) > kEdges) {
    std::vector<float> some;
    for (Index i = 1; i <= kEdges; ++i) some.push_back(edges_[i * std::ssize(edges_) / kEdges - 1]);
    edges_ = std::move(some);
  }
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  by_kind_.resize(kind_count);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<float> counts(edges_.size());
    std::vector<std::vector<float>> of_kind(kind_count, counts);
    for (std::size_t i = 0; i < groups[g].size(); ++i) {
      const auto edge = find_edge(groups[g][i]);
      counts[edge] += 1;
      if (kind_count > 0) of_kind[kinds[g][i]][edge] += 1;
    }
    const auto sum_up = [](std::vector<float>& v) { std::partial_sum(v.begin(), v.end(), v.begin()); };
    sum_up(counts);
    for (float& c : counts) c /= float(groups[g].size());
    sizes_.push_back(std::ssize(groups[g]));
    shares_.push_back(std::move(counts));
    for (int k = 0; k < kind_count; ++k) {
      sum_up(of_kind[k]);
      by_kind_[k].push_back(std::move(of_kind[k]));
    }
  }
}

Index BinnedScores::find_edge(float score) const {
  return std::ranges::lower_bound(edges_, score) - edges_.begin();
}

BinnedScores::Choice BinnedScores::choose(const std::vector<Index>& groups, std::uint64_t seed) const {
  const auto n = std::ssize(groups);
  Choice out{n, std::vector<double>(edges_.size()), std::vector<double>(groups.size() + 2)};
  for (Index g : groups)
    for (Index e = 0; e < edge_count(); ++e) out.shares[e] += double(shares_[g][e]) / double(n);
  Random random(seed);
  std::vector<Index> drawn(groups.size());
  for (Index t = 0; t < kThrows; ++t) {
    for (Index i = 0; i < n; ++i) {
      const auto& row = shares_[groups[i]];
      drawn[i] = std::min(edge_count() - 1, std::ranges::upper_bound(row, float(random.uniform())) - row.begin());
    }
    std::ranges::sort(drawn);
    for (Index k = 0; k < n; ++k) out.holds[k + 1] += out.shares[drawn[k]] / double(kThrows);
  }
  out.holds[n + 1] = 1;
  return out;
}

Index BinnedScores::quantile(const Choice& choice, double level, uncertainty::Promise promise) const {
  const auto n = choice.groups;
  const double place = level * double(n + 1);
  if (place > double(n) * (1 + kRounding)) return kInfinite;
  double needed = place / double(n);
  if (promise == uncertainty::Promise::on_average) {
    const auto k = std::clamp(Index(place), Index(0), n);
    const double rest = place - double(k);
    needed = (1 - rest) * choice.holds[k] + rest * choice.holds[k + 1];
  }
  const auto edge_of = [&](double share) {
    const auto found = std::ranges::lower_bound(choice.shares, share - kRounding) - choice.shares.begin();
    return std::min(found, std::ssize(choice.shares) - 1);
  };
  const auto above = edge_of(needed);
  if (promise == uncertainty::Promise::at_least || above == 0) return above;
  // As the table does, between the two scores of the choice; the edges between them are scores of other groups.
  const double reached = choice.shares[above - 1];
  if (reached <= kRounding) return above;
  const auto below = edge_of(reached);
  const double part = (needed - reached) / (choice.shares[above] - reached);
  if (part > 1 - kRounding) return above;
  const double bound = (1 - part) * double(edges_[below]) + part * double(edges_[above]);
  return std::ranges::upper_bound(edges_, bound, {}, [](float e) { return double(e); }) - edges_.begin() - 1;
}

double BinnedScores::share(const std::vector<Index>& chosen, Index edge) const {
  double sum = 0;
  for (Index g : chosen) sum += shares_[g][edge];
  return sum / double(chosen.size());
}

BinnedScores::Count BinnedScores::count(Index group, Index edge) const {
  return {double(shares_[group][edge]) * double(sizes_[group]), double(sizes_[group])};
}

BinnedScores::Count BinnedScores::count_of_kind(const std::vector<Index>& chosen, int kind, Index edge) const {
  Count out;
  for (Index g : chosen) out.add({by_kind_[kind][g][edge], by_kind_[kind][g].back()});
  return out;
}

}  // namespace fluidsplat::calibrate

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "uncertainty/conformal.h"

namespace fluidsplat::calibrate {

// What uncertainty::ScoreTable says, for one choice of groups after the other: scores are rounded up to some thousand
// edges once, so that a choice costs sums and no sorting.
class BinnedScores {
 public:
  // Sizes of errors, by group; `kinds`, of the same shape or empty, tells kinds of scores apart, below `kind_count`.
  BinnedScores(const std::vector<std::vector<float>>& groups, const std::vector<std::vector<unsigned char>>& kinds = {},
               int kind_count = 0);

  // Some of the groups, made ready for any number of levels.
  struct Choice {
    Index groups = 0;
    std::vector<double> shares;  // [edges]: mean over the groups
    std::vector<double> holds;   // see ScoreTable::holds
  };
  Choice choose(const std::vector<Index>& groups, std::uint64_t seed) const;

  static constexpr Index kInfinite = std::numeric_limits<Index>::max();
  // The edge that bounds the next group's scores at a level, kInfinite when so few groups cannot promise it.
  Index quantile(const Choice& choice, double level, uncertainty::Promise promise) const;
  float score(Index edge) const { return edges_[edge]; }
  // The mean over groups, each counted once, of the share of scores up to an edge.
  double share(const std::vector<Index>& chosen, Index edge) const;
  // How many scores there are, and how many of them are up to an edge: of a group, and of a kind in some groups.
  struct Count {
    double inside = 0, all = 0;
    void add(const Count& c) { inside += c.inside, all += c.all; }
    double share() const { return inside / all; }
  };
  Count count(Index group, Index edge) const;
  Count count_of_kind(const std::vector<Index>& chosen, int kind, Index edge) const;

 private:
  Index edge_count() const { return Index(edges_.size()); }
  Index find_edge(float score) const;

  std::vector<float> edges_;
  std::vector<Index> sizes_;                              // of the groups
  std::vector<std::vector<float>> shares_;                // [groups][edges], rising to 1
  std::vector<std::vector<std::vector<float>>> by_kind_;  // [kinds][groups][edges]: how many
};

}  // namespace fluidsplat::calibrate

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Split conformal prediction: what errors of the past promise of the next one, without a model of errors.
#pragma once

#include <limits>
#include <vector>

#include "base/index.h"

namespace fluidsplat::uncertainty {

// How wrong a model was on groups of things that it had not seen: the points of a case, the frames of a block of time.
// Groups must be exchangeable with each other and with the next one; within a group things may depend on each other as
// they like.  So each group counts once, however many scores it has:
//
//   F(t) = mean over groups of the share of the group's scores that are <= t
//
// and of the next group, of which one thing is drawn at random,
//
//   P(score <= quantile(level)) >= level,    quantile(level) = the least t with F(t) >= level (groups + 1) / groups.
//
// With one score in each group this is the textbook's: the ceil((n + 1) level)-th smallest of n.  With n in place of
// n + 1 the promise would be broken on average over calibrations.
//
// That promise costs up to 1 / (n + 1) more than the level, which few groups feel.  A random rule has none of it: draw
// one score of each group, and of these n take the k-th smallest, or the next with the probability that makes up for
// rounding, k = floor((n + 1) level).  The next group's score is then below it with probability `level`, not more and
// not less.  A band that changes with a throw of dice is of little use, so Promise::on_average takes the one threshold
// that holds as much of the groups as the random ones do on average over the throws.  It holds the level on average up
// to what curvature of F within its spread makes, which is measured and not proved (docs/trust.md).
enum class Promise { at_least, on_average };

class ScoreTable {
 public:
  ScoreTable() = default;
  // Throws std::logic_error for a group without scores and for scores that are NaN.  `most` bounds the entries that are
  // kept, levels being rounded up to those kept; 0 keeps everything.  `throws` is how often scores are drawn for
  // Promise::on_average; 0: it is known only where groups have one score each.
  explicit ScoreTable(std::vector<std::vector<float>> groups, Index most = 0, Index throws = 0);
  // What levels(), scores() and holds() gave.
  ScoreTable(Index groups, std::vector<float> levels, std::vector<float> scores, std::vector<float> holds = {});

  Index groups() const { return groups_; }
  // The highest level that so many groups can promise: n / (n + 1).
  double highest_level() const { return double(groups_) / double(groups_ + 1); }
  // Infinite when the level is higher than that.  Allocates nothing.
  double quantile(double level, Promise promise = Promise::at_least) const;
  bool knows_average() const { return !holds_.empty(); }
  // The other way round: of the next group, P(p_value(score) <= p) <= p.  Never below 1 / (groups + 1).
  double p_value(double score) const;

  // Pairs in rising order: F reaches levels[i] at scores[i].
  const std::vector<float>& levels() const { return levels_; }
  const std::vector<float>& scores() const { return scores_; }
  // [groups + 2]: how much F is at the k-th smallest of scores drawn one of each group, on average over draws; 0 at
  // k = 0, 1 at k = groups + 1.  Empty: not known.
  const std::vector<float>& holds() const { return holds_; }

 private:
  double between(double level) const;  // the score at which F reaches a level, interpolated
  Index groups_ = 0;
  std::vector<float> levels_, scores_, holds_;
};

// Which side of a value a promise is about.
enum class Side { both, upper, lower };

// The tables for errors that have a sign, truth minus what was said: of their size, of how far the truth may lie above,
// of how far below.
struct SignedTables {
  ScoreTable size, above, below;

  SignedTables() = default;
  explicit SignedTables(std::vector<std::vector<float>> groups, Index most = 0, Index throws = 0);
  SignedTables(ScoreTable size_of, ScoreTable above_of, ScoreTable below_of)
      : size(std::move(size_of)), above(std::move(above_of)), below(std::move(below_of)) {}
  // By how much what was said is to be lowered and raised; infinite on a side that nothing is promised of.
  struct Margins {
    double down = std::numeric_limits<double>::infinity(), up = std::numeric_limits<double>::infinity();
  };
  Margins margins(double level, Side side, Promise promise = Promise::at_least) const;
  bool knows_average() const { return size.knows_average() && above.knows_average() && below.knows_average(); }
};

}  // namespace fluidsplat::uncertainty

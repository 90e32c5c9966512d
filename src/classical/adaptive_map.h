// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "classical/noise_ladder.h"

namespace fluidsplat::classical {

// A map from readings to target vectors that is sharp for clean readings and steady for noisy ones.
class AdaptiveMap {
 public:
  // Rows are training cases: readings [T, S], targets [T, J].
  AdaptiveMap(NoiseLadder ladder, const Eigen::MatrixXd& readings, const Eigen::MatrixXd& targets);

  Index cases() const { return maps_.front().cases(); }
  Index targets() const { return targets_; }
  // Numbers that apply() needs room for.
  Index scratch() const { return cases() + maps_.front().targets() + std::ssize(maps_); }
  Eigen::VectorXd operator()(const Eigen::VectorXd& readings) const;
  // [S] -> [J], for loops that must not allocate.
  void apply(const double* readings, double* scratch, double* targets) const;

 private:
  NoiseLadder ladder_;
  std::vector<ReadingMap> maps_;  // to targets and readings, [T, J + S]
  Index targets_;
};

// The same map without one of its cases, whichever is asked for.
class LeftOutAdaptiveMap {
 public:
  LeftOutAdaptiveMap(NoiseLadder ladder, const Eigen::MatrixXd& readings, const Eigen::MatrixXd& targets);
  // [S] -> [J].  The readings may differ from those that the case had in training.
  Eigen::VectorXd operator()(Index left_out, const Eigen::VectorXd& readings) const;

 private:
  NoiseLadder ladder_;
  std::vector<LeftOutMap> maps_;
  Index targets_;
};

}  // namespace fluidsplat::classical

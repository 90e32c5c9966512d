// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "classical/reading_map.h"

namespace fluidsplat::classical {

// A map that was made for some noise of the readings, and when to use it.
struct Rung {
  double noise = 0;
  KernelSettings settings;
  // Readings that the ladder's judge misses by `quiet` and less are left to finer rungs, by `loud` and more to this one
  // and coarser ones.
  double quiet = 0, loud = 0;

  // Of this rung, the rest being that of finer ones.
  double weight(double missed) const;
};

// Maps for noise of several sizes, the coarsest first.  How much there is, readings say of each other: one of the maps,
// the judge, also predicts the readings themselves, and what it misses of them tells.
struct NoiseLadder {
  std::vector<Rung> rungs;
  Index judge = 0;

  // Weights of the rungs, adding up to one; [rungs].
  void weigh(double missed, double* weights) const;
};

// With smaller ridges solving for the weights of a map is itself noise, which left-out cases see undiluted.
inline constexpr double kSteadyRidge = 1e-11;

// Rungs for 5 * `noise`, `noise`, a fifth of it and for clean readings.  Kernels, lengths and ridges are those that
// predict left-out cases best under a rung's noise; which rung judges, and where others begin and end, what predicts
// them best under all of these noises and none; of ladders that are as good but for chance, the one made for the least
// noise.  Only one rung is left where readings do not tell.
NoiseLadder choose_ladder(const std::vector<Kernel>& kernels, const Eigen::MatrixXd& readings,
                          const Eigen::MatrixXd& targets, double noise);

// Root of the mean square.
double missed_by(const Eigen::Ref<const Eigen::VectorXd>& readings, const Eigen::Ref<const Eigen::VectorXd>& made);

}  // namespace fluidsplat::classical

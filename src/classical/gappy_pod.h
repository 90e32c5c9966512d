// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "base/index.h"

namespace fluidsplat::classical {

// Gappy POD as Bayes has it: the modes' coefficients are normal with the training cases' variances, what sensors say is
// modes times coefficients plus noise.  Sensors may be anywhere, and others in every case.
struct GappyPod {
  Eigen::VectorXd variances;  // [J]
  double noise = 0;           // variance

  // modes at the sensors [S, J] and the sensors' deviations from the mean [S] to coefficients [J].
  Eigen::VectorXd operator()(const Eigen::MatrixXd& modes, const Eigen::VectorXd& deviations) const;
};

// One training case: the modes at its sensors, what these say, and the coefficients that should come out.
struct GappyCase {
  Eigen::MatrixXd modes;
  Eigen::VectorXd deviations, coefficients;
};
// The noise is chosen so that cases are met best by the statistics of others: five parts, each held out once.
GappyPod fit_gappy(const std::vector<GappyCase>& cases);

}  // namespace fluidsplat::classical

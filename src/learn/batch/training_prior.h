// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classical/pod_prior.h"
#include "learn/config/train_config.h"
#include "learn/model/model.h"

namespace fluidsplat::learn {

// A prior, and what a training needs beside it.
struct TrainingPrior {
  // Its network_scale is how much it leaves of cases that it is not shown, so that targets are of order one.
  classical::Prior prior;
  std::vector<Index> row_of;  // per case of the dataset: its row among those that the prior knows, or -1
  std::optional<classical::PriorInputs> inputs;

  // The coefficients that a training case's readings [N, C] give when the case itself is left out.
  Eigen::VectorXd coefficients(Index case_index, const field::Matrix& readings) const;
};

// Kernel, its settings and the number of modes are those that predict left-out cases best.  Throws Error unless all
// training cases share one mesh and one set of sensors that stay where they are.
TrainingPrior fit_prior(const TrainingData& data, const model::BaseField& base, const PriorConfig& config);

}  // namespace fluidsplat::learn

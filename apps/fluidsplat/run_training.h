// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "field/metrics.h"
#include "learn/train_config.h"

namespace fluidsplat::app {

// A config file with `key=value` settings laid over it.
learn::TrainConfig read_config(const std::string& file, const std::vector<std::string>& overrides);

// Trains with a progress line, then judges the best model on the test cases of the split.  Empty when
// interrupted.
std::optional<field::ErrorSummary> run_training(const learn::TrainConfig& config, bool resume);

// Evaluates a model on the chosen cases with a progress line; writes cases.csv and metrics.json to `out`.
std::optional<field::ErrorSummary> run_evaluation(const std::string& model, const std::string& data,
                                                  const std::vector<std::int64_t>& cases,
                                                  const std::string& out, const std::string& device,
                                                  int threads);

}  // namespace fluidsplat::app

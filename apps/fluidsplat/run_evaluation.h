// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/index.h"
#include "field/evaluation.h"

namespace fluidsplat::app {

struct EvaluationSource {
  std::filesystem::path model;
  std::string data;
  std::vector<Index> cases;
  std::filesystem::path out;  // folder for cases.csv and metrics.json
  int threads = 0;            // 0 = available_threads()
  std::optional<field::ForceSettings> forces;
};

// Evaluates a model on the chosen cases with a progress line.  Empty when interrupted.
std::optional<field::ErrorSummary> run_evaluation(const EvaluationSource& source);

// A model file, given itself or as the run folder that holds it.
std::filesystem::path model_file(const std::filesystem::path& given);

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/shard.h"
#include "field/dataset_file.h"
#include "field/evaluation.h"
#include "field/split.h"
#include "reconstruct/disturbance.h"

namespace fluidsplat::app {

// What `eval`, and `train` at its end, ask for.
struct EvaluationSource {
  std::filesystem::path model;
  std::string cases = "test";         // test, validation, train or all
  std::optional<field::Split> split;  // not needed for all
  std::string split_name;             // where it comes from
  std::filesystem::path sensors;      // a CSV of other sensors; empty: the model's
  Index count = 0;                    // another number of them; 0: as many as there are
  reconstruct::Disturbance disturbance;
  std::filesystem::path out;  // folder for cases.csv and metrics.json
  int threads = 0;            // 0 = available_threads()
  std::optional<field::ForceSettings> forces;
  double level = 0;      // of intervals of the calibrated numbers; 0: none
  bool own_data = true;  // what the run beside the model was made of
  Shard shard;           // which of several processes that share the cases this is
};

// Evaluates a model on the chosen cases with a progress line, and prints the outcome.  Empty when interrupted, and
// for a shard that is not the last to be done.
std::optional<field::ErrorSummary> run_evaluation(const EvaluationSource& source, const field::DatasetFile& dataset);

// The command line of this process, for what a result was made by.
void remember_command(int argc, char** argv);

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "field/dataset.h"
#include "learn/config/train_config.h"

namespace fluidsplat::learn {

struct SuggestRequest {
  std::string data_file, out = "runs/model";
  std::optional<SensorConfig> sensors;  // when the user has some
  std::vector<std::string> channels;    // that the sensors see; empty: all
  double minutes = 10;                  // what training may take
  bool keep_units = false;              // the model is to speak in the units of the data, whatever speeds cases have
};

// Settings that suit a dataset, and why.
struct Suggestion {
  TrainConfig config;
  struct Line {
    std::string key, why;
  };
  std::vector<Line> lines;  // the settings worth writing down, in the order of a config file
  double minutes = 10;

  void set(const std::string& key, const std::string& why) { lines.push_back({key, why}); }
};

// Looks at the dataset: cases, meshes, length scales, modes, wall.  Throws Error when there are too few cases to train,
// to choose and to judge.  The number of steps stays open until fit_budget.
Suggestion suggest(const field::Dataset& dataset, const SuggestRequest& request);

// What a step and a validation take with the suggested settings, measured on this machine.
struct StepCost {
  double step_seconds = 0, validation_seconds = 0;
};
// As many steps as fit the time, and validations that take a small part of it.
void fit_budget(Suggestion& suggestion, const StepCost& cost);

// A config file with every reason as a comment.
std::string to_toml(const Suggestion& suggestion);

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "learn/config/train_config.h"
#include "reproduce/tables.h"

namespace fluidsplat::reproduce {

struct PlanRequest {
  std::vector<std::string> tables = {};  // of table_names()
  Index seeds = 5;
  double minutes = 0;                     // for each network; 0: as long as its config says
  Index threads = 1;                      // of each training
  std::vector<std::string> methods = {};  // only these and their variants; "classical": those; empty: all
};

// The method of the run that times all methods.
inline constexpr const char* kCost = "cost";

// One training or fit.
struct Run {
  Subject subject;
  bool is_classical = false;
  learn::TrainConfig config;        // what is asked: without paths, and with the time that it may take
  std::vector<Index> sensors = {};  // the numbers of sensors that it is judged with; 0: as in training

  Index seed() const { return config.seed; }
  // "surface-8-paper-s123"
  std::string name() const;
};

// All that the tables need, each thing once, in the order in which it is best done: what takes seconds, then one seed
// of everything, then the next.  The same for the same request.  Throws Error for a table or a method that there is
// not.
std::vector<Run> plan(const PlanRequest& request);

// The settings with which a subject is trained, its first seed, no limit of time.
learn::TrainConfig config_of(const Subject& subject);

// Every setting as one line of TOML, without what only says where files are.  Two trainings with equal texts are the
// same training.
std::string settings_text(learn::TrainConfig config);
// Such a text as this program reads it: a setting that it does not have yet gets its default.  Throws Error when it has
// one that there is no longer.
std::string settings_today(const std::string& text);
// Without the seed: what runs have in common that are shown as one method's.
std::string settings_without_seed(const std::string& text);

}  // namespace fluidsplat::reproduce

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <limits>
#include <vector>

#include "base/index.h"
#include "learn/model/tensors.h"
#include "learn/optim/schedule.h"

namespace fluidsplat::learn {

// The numbers of a run that change from step to step, and that a rollback restores.
struct Counters {
  Index step = 0, rollbacks = 0;
  double rate_scale = 1;  // halved by every rollback
  double mean_loss = 0;   // running mean, what a spike is measured against
  double seconds = 0;     // time spent training, over all sessions
  Schedule::State schedule;
};

// Everything that decides how a run goes on.  Random draws are functions of (seed, step, rollbacks), so no generator
// state is among it.
struct TrainState {
  Counters counters;
  TensorMap parameters, optimizer, averaged;
};

// The best model so far.  No rollback touches it: what was kept was judged, and a later, worse validation must not
// replace it.
struct Best {
  double error = std::numeric_limits<double>::infinity();  // infinite before the first validation
  Index step = 0, validations_since = 0;
  double network_scale = 1;  // see classical::Prior
  TensorMap weights = {};
};

struct LogRow {
  Index step = 0;
  double loss = 0, data = 0, observation = 0, surface = 0, rate = 0, gradient = 0, validation = 0, seconds = 0;
};

// Sums over the steps since the last validation, whose means are its row in the log.
struct Tally {
  LogRow sums;
  Index steps = 0;
};

// What is needed to continue after any interruption, bit for bit.
struct Checkpoint {
  std::string config;  // the resolved config, to refuse a resume with another one
  TrainState now;
  TrainState good;       // what a rollback returns to: training went well for a while after it
  TrainState candidate;  // newer than `good`, and takes its place when it has stood the same test
  Best best;
  std::vector<LogRow> log;
  Tally tally;
};

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace fluidsplat::learn

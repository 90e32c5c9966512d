// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "base/run_hooks.h"
#include "field/sensors.h"
#include "field/split.h"
#include "learn/config/train_config.h"

namespace fluidsplat::reproduce {

// A training that has come to its end.
struct Trained {
  learn::TrainConfig config;  // as it was done, without paths
  std::filesystem::path model;
  Index steps = 0;
  double seconds = 0;
  std::string ended;  // finished, early-stopped, or out-of-time at train.stop_at
};

struct TrainingRequest {
  learn::TrainConfig config;  // what is asked
  std::filesystem::path data_file, folder;
  bool measure = true;  // how many steps fit train.max_minutes; false: the config's own
};

// What an earlier training has left in a folder, removed.
void forget_training(const std::filesystem::path& folder);

// Trains in the folder, goes on with what an earlier process has left there, or finds it done.  How many steps fit the
// time is measured once, before the first, and kept in the folder, so that a run that was interrupted ends as one that
// was not.  Nothing when the hooks stopped it.
std::optional<Trained> train(const TrainingRequest& request, const field::Dataset& dataset, const field::Split& split,
                             const field::SensorLayout& sensors, const RunHooks& hooks);

}  // namespace fluidsplat::reproduce

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/index.h"
#include "field/split.h"
#include "learn/adam.h"
#include "learn/batch.h"
#include "learn/checkpoint.h"
#include "learn/loss.h"
#include "learn/predictor.h"

namespace fluidsplat::learn {

// How a run tells of itself.  All optional; called on the training thread.
struct TrainCallbacks {
  std::function<void(Index step, double loss, double rate)> on_step;
  std::function<void(const LogRow& row, bool best)> on_validation;
  std::function<void(const std::string& what)> on_event;  // rollbacks and other things worth a line
  std::function<bool()> should_stop;                      // asked after every step; true = checkpoint and return
};

enum class TrainOutcome { finished, early_stopped, out_of_time, interrupted };

// Trains one model in one run folder:
//   config.toml, split.json      what was asked, frozen
//   log.csv                      one row per validation
//   checkpoint.safetensors       to continue from
//   model.safetensors            the best model so far, by validation
class Trainer {
 public:
  Trainer(TrainConfig config, const field::Dataset& dataset, field::Split split, field::SensorLayout sensors);
  ~Trainer();
  // Continues from the run folder's checkpoint.  Throws Error when it was made with other settings.
  void resume();
  TrainOutcome run(const TrainCallbacks& callbacks = {});

  const Counters& counters() const { return counters_; }
  const std::vector<LogRow>& log() const { return log_; }
  ModelBundle& bundle() { return bundle_; }
  std::filesystem::path file(const char* name) const { return std::filesystem::path(config_.out) / name; }

 private:
  struct StepResult {
    bool good;
    double loss, data, observation, surface, gradient, rate;
  };
  StepResult take_step();
  double validate();
  void update_average();
  bool roll_back(const std::string& why, const TrainCallbacks& callbacks);
  TrainState snapshot() const;
  void restore(const TrainState& state);
  void keep_if_best(double error);
  void write_log() const;
  void write_checkpoint();
  TensorMap live_or_averaged() const { return averaged_.empty() ? live_ : averaged_; }

  TrainConfig config_;
  std::string config_text_;
  const field::Dataset& dataset_;
  field::Split split_;
  torch::Device device_;
  ModelBundle bundle_;
  std::unique_ptr<field::SensorPlan> sensors_;
  std::unique_ptr<BatchMaker> batches_;
  std::unique_ptr<Adam> adam_;
  std::unique_ptr<Schedule> schedule_;
  std::vector<std::vector<Index>> validation_points_;  // per mesh
  TensorMap live_, averaged_, best_;
  TrainState good_, candidate_;  // see Checkpoint
  Counters counters_;
  std::vector<LogRow> log_;
};

// The config as it was resolved, for the run folder.
std::string to_toml(TrainConfig config);

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "learn/distributed/group.h"
#include "learn/optim/optimizer.h"
#include "learn/optim/weight_average.h"
#include "learn/train/run_folder.h"
#include "learn/train/spike_guard.h"
#include "learn/train/train_step.h"
#include "learn/train/validation.h"

namespace fluidsplat::learn {

// How a run tells of itself.  All optional; called on the training thread.
struct TrainCallbacks {
  std::function<void(Index step, double loss, double rate)> on_step;
  std::function<void(const LogRow& row, bool best)> on_validation;
  std::function<void(const std::string& what)> on_event;  // rollbacks and other things worth a line
  std::function<bool()> should_stop;                      // asked after every step; true = checkpoint and return
};

enum class TrainOutcome { finished, early_stopped, out_of_time, interrupted };

// Trains or fits one model of any kind in one run folder.  The ranks of a group have a trainer each and train one model
// together: every step shares out the batch of one rank's step, and all that decides how the run goes on is agreed.
// Only the first rank writes, and only it needs to see the run folder.
class Trainer {
 public:
  Trainer(TrainConfig config, const field::Dataset& dataset, field::Split split, field::SensorLayout sensors,
          Group& group = alone());
  ~Trainer();
  // Continues from the run folder's checkpoint, whatever number of ranks made it.  Throws Error when it was made with
  // other settings.
  void resume();
  TrainOutcome run(const TrainCallbacks& callbacks = {});

  const Counters& counters() const { return counters_; }
  const Best& best() const { return best_; }
  const std::vector<LogRow>& log() const { return log_; }
  // The most memory that cases and meshes have taken in steps so far.
  std::size_t most_data_bytes() const { return batches_ ? batches_->most_held_bytes() : 0; }
  TrainedModel& trained() { return trained_; }
  const RunFolder& folder() const { return folder_; }
  // False while the folder is as this run found it.
  bool has_begun() const { return begun_; }

 private:
  void build_model();
  // Makes sure that all ranks begin the same training.
  void start_together();
  // The places of the one mesh that the training cases share.  Throws Error when they do not.
  field::Matrix training_places() const;
  void start_from(const TrainedModel& other);
  // Makes the folder this run's.
  void take_folder();
  void correct(const TrainCallbacks& callbacks);
  void fit_in_closed_form(const TrainCallbacks& callbacks);
  // False when the loss has exploded; then nothing has changed.
  bool take_step(StepResult& result);
  double rate() const { return schedule_.rate(counters_.step) * counters_.rate_scale; }
  bool due(Index every) const { return counters_.step % every == 0 || is_last_step(); }
  bool is_last_step() const { return counters_.step >= config_.schedule.steps; }
  bool validate(const TrainCallbacks& callbacks);
  void keep_best(const Validation::Judgement& judged);
  void save_best() const;
  void roll_back(const std::string& why, const TrainCallbacks& callbacks);
  void keep_checkpoint();
  TrainOutcome look_up(const TrainCallbacks& callbacks);
  TrainState snapshot() const;
  void restore(const TrainState& state);
  void write_checkpoint() const;

  TrainConfig config_;
  std::string config_text_;
  const field::Dataset& dataset_;
  field::Split split_;
  Group& group_;
  torch::Device device_;
  RunFolder folder_;
  bool begun_ = false;
  TrainedModel trained_;
  field::SensorPlacement sensors_;
  std::optional<TrainingPrior> prior_;
  TensorMap live_;  // the parameters, sharing the model's memory
  std::unique_ptr<BatchMaker> batches_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<WeightAverage> average_;
  Schedule schedule_;
  SpikeGuard guard_;
  Validation validation_;
  TrainState good_, candidate_;  // see Checkpoint
  Counters counters_;
  Best best_;
  Tally tally_;
  std::vector<LogRow> log_;
};

}  // namespace fluidsplat::learn

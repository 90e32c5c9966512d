// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/trainer.h"

#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/all_places.h"
#include "field/error_text.h"
#include "field/mean_field.h"
#include "learn/config/large_cases.h"
#include "learn/model/registry.h"
#include "learn/train/torch_session.h"
#include "reconstruct/fit_kriging.h"
#include "reconstruct/runtime_model.h"

namespace fluidsplat::learn {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

TrainConfig checked(TrainConfig config, const field::Dataset& dataset) {
  config.check();
  check_large_cases(config, dataset);
  return config;
}

std::string describe(const reconstruct::KrigingFit& fit, bool validation) {
  const auto cases = validation ? "validation" : "training";
  return fit.kriging.is_on() ? fmt::format("corrected at the sensors: {} cases err by {} instead of {}", cases,
                                           field::error_text(fit.after), field::error_text(fit.before))
                             : fmt::format("a correction at the sensors would not help: {} cases err by {}", cases,
                                           field::error_text(fit.before));
}

void add(Tally& tally, const StepResult& r) {
  const auto term = [&](const char* name) { return r.terms.contains(name) ? r.terms.at(name) : 0.0; };
  tally.sums.loss += r.loss;
  tally.sums.data += term("data");
  tally.sums.observation += term("observation");
  tally.sums.surface += term("surface");
  tally.sums.gradient += r.gradient;
  tally.sums.rate = r.rate;
  ++tally.steps;
}

LogRow mean_of(const Tally& tally) {
  LogRow out = tally.sums;
  for (double* v : {&out.loss, &out.data, &out.observation, &out.surface, &out.gradient}) *v /= double(tally.steps);
  return out;
}

// The first rank's file; the others need not see its folder.
Checkpoint load_together(const std::filesystem::path& path, Group& group) {
  const auto bytes = group.broadcast_text(group.is_first() ? read_file(path) : std::string());
  if (group.is_first()) return load_checkpoint(path);
  const TemporaryFolder folder;
  write_file(folder / "checkpoint", bytes);
  return load_checkpoint(folder / "checkpoint");
}

}  // namespace

Trainer::Trainer(TrainConfig config, const field::Dataset& dataset, field::Split split, field::SensorLayout sensors,
                 Group& group)
    : config_(checked(std::move(config), dataset)),
      dataset_(dataset),
      split_(std::move(split)),
      group_(group),
      device_(find_device(config_.device)),
      folder_(config_.out),
      sensors_(std::move(sensors), dataset),
      schedule_(config_.schedule),
      guard_(config_.explode_factor),
      validation_(dataset, split_.validation, sensors_, config_.validation_points, config_.seed) {
  if (split_.train.empty()) fail("{}: the split has no training cases", dataset.name());
  build_model();
  config_text_ = to_toml(seen_from(config_.out, config_));
  live_ = parameters_of(*trained_.model);
  average_ = std::make_unique<WeightAverage>(live_, config_.ema);
  if (trained_.model->is_fitted_in_closed_form()) {
    if (group_.size() > 1)
      fail("config: a model of kind \"{}\" is fitted in one go: train it with one process, not with {} ranks",
           config_.model->kind(), group_.size());
    return;
  }
  if (trained_.model->looks_at_wall() && has_large_cases(config_, dataset))
    fail(
        "{}: cases that are larger than half of train.memory_budget = \"{}\" are not read whole, and a model that "
        "looks at the wall needs all of it; raise the budget, or set model.geometry = false",
        dataset.name(), config_.memory_budget);
  batches_ = std::make_unique<BatchMaker>(
      config_, dataset, split_.train, trained_.normalization, sensors_, trained_.model->looks_at_wall(), device_,
      trained_.base ? trained_.base->at(training_places()) : field::Matrix(), prior_ ? &*prior_ : nullptr, group_);
  optimizer_ = make_optimizer(config_.optimizer, live_);
  good_ = candidate_ = snapshot();
}

Trainer::~Trainer() = default;

void Trainer::build_model() {
  const auto facts = facts_of(dataset_);
  trained_.schema = facts.schema;
  trained_.grid_shape = facts.grid_shape;
  if (config_.subtract_mean)
    trained_.base =
        std::make_shared<model::BaseField>(training_places(), field::mean_at_places(dataset_, split_.train));
  trained_.normalization =
      field::fit_normalization(dataset_, split_.train, trained_.base ? trained_.base->values() : field::Matrix());
  trained_.normalization.readings = sensors_.learn_means(dataset_, split_.train, trained_.normalization.channels);
  trained_.sensors = sensors_.layout();
  config_.model->fit_to(facts.schema);
  const TorchSession session(config_.threads, config_.seed);
  if (config_.from.empty())
    trained_.model = ModelRegistry::instance().make_model(*config_.model, facts);
  else
    start_from(load_model(config_.from));
  if (config_.prior.kind == PriorKind::kPodKernel) {
    prior_ = fit_prior({dataset_, split_.train, sensors_, trained_.normalization}, *trained_.base, config_.prior);
    trained_.prior = prior_->prior;
  }
  trained_.model->to(device_);
  if (trained_.base && trained_.model->is_fitted_in_closed_form())
    fail("config: train.subtract_mean is for models that are trained step by step, not for kind \"{}\"",
         config_.model->kind());
  if (config_.engine == Engine::kFused && device_.is_cpu()) trained_.model->use_fast_kernels();
}

field::Matrix Trainer::training_places() const {
  for (auto index : split_.train)
    if (dataset_.mesh_of(index) != dataset_.mesh_of(split_.train.front()))
      fail(
          "{}: learning the deviation from a mean field (train.subtract_mean) needs training cases that share one mesh",
          dataset_.name());
  const auto mesh = dataset_.mesh(dataset_.mesh_of(split_.train.front()));
  return field::all_places(*mesh);
}

// Weights mean what they do under the normalisation and about the base field that they were learnt with, so these come
// along.  A prior is fitted to the new cases: it must be able to leave out each of them.
void Trainer::start_from(const TrainedModel& other) {
  reconstruct::check_schema(other.schema, trained_.schema, dataset_.name());
  config_.model = other.model->spec();
  config_.subtract_mean = other.base != nullptr;
  config_.prior.kind = other.prior.pod ? PriorKind::kPodKernel : PriorKind::kNone;
  trained_.base = other.base;
  trained_.normalization = other.normalization;
  trained_.model = other.model;
}

void Trainer::start_together() {
  if (group_.size() == 1) return;
  group_.expect_same(
      fmt::format("{}\n{} cases, {} meshes; {}; {}; from step {}", config_text_, dataset_.size(), dataset_.mesh_count(),
                  fmt::join(split_.train, " "), fmt::join(split_.validation, " "), counters_.step),
      "settings or other cases");
  // Other processors may draw other first weights.
  for (const auto& tensors : {live_, optimizer_->state(), average_->state()})
    for (const auto& [name, t] : tensors) {
      auto here = t.detach().to(torch::kCPU).contiguous();
      group_.broadcast(std::span(static_cast<char*>(here.data_ptr()), std::size_t(here.nbytes())));
      t.data().copy_(here);
    }
  if (counters_.step == 0) good_ = candidate_ = snapshot();
}

TrainOutcome Trainer::run(const TrainCallbacks& callbacks) {
  const TorchSession session(config_.threads);
  start_together();
  // An earlier run stays whole until this one has something to put in its place.
  if (begun_ || !folder_.holds_run()) take_folder();
  if (group_.is_first())
    reconstruct::add_blocks(trained_.blocks, reconstruct::learn_record(dataset_, split_.train, sensors_));
  if (trained_.model->is_fitted_in_closed_form()) return fit_in_closed_form(callbacks), TrainOutcome::finished;
  trained_.model->train();
  auto outcome = TrainOutcome::finished;
  double last = seconds_now();
  while (!is_last_step() && outcome == TrainOutcome::finished) {
    StepResult result;
    const bool good = take_step(result);
    counters_.seconds += seconds_now() - std::exchange(last, seconds_now());
    if (!good) {
      roll_back(result.is_finite()
                    ? fmt::format("the loss jumped to {:.3g} from about {:.3g}", result.loss, counters_.mean_loss)
                    : std::string("the loss or its gradient is not finite"),
                callbacks);
      continue;
    }
    if (callbacks.on_step) callbacks.on_step(counters_.step, result.loss, result.rate);
    outcome = look_up(callbacks);
    // Whatever ends a run, what it leaves has been judged; only an interrupted one goes on later.
    const bool ends = outcome == TrainOutcome::out_of_time;
    if ((due(config_.validate_every) || ends) && !validate(callbacks)) continue;
    if (config_.early_stop > 0 && best_.validations_since >= config_.early_stop &&
        counters_.step >= config_.min_steps && outcome == TrainOutcome::finished && !is_last_step())
      outcome = TrainOutcome::early_stopped;
    if (due(config_.checkpoint_every)) keep_checkpoint();
  }
  if (outcome != TrainOutcome::finished && begun_) write_checkpoint();
  if (outcome != TrainOutcome::interrupted && group_.is_first()) correct(callbacks);
  return outcome;
}

// The runtime says what the kept model misses; the correction goes into its file.
void Trainer::correct(const TrainCallbacks& callbacks) {
  // A run that goes on may have been corrected before.
  if (model::ModelFile::open(folder_.model()).has_block(classical::Kriging::kBlock)) save_best();
  if (config_.correction == CorrectionKind::kNone) return;
  reconstruct::RuntimeModel model(folder_.model(), torch::get_num_threads());
  const auto fit = reconstruct::fit_kriging(model, {.dataset = dataset_,
                                                    .sensors = sensors_,
                                                    .cases = validation_.has_cases() ? split_.validation : split_.train,
                                                    .sensors_min = config_.sensors_min,
                                                    .sensors_max = config_.sensors_max});
  if (callbacks.on_event) callbacks.on_event(describe(fit, validation_.has_cases()));
  if (!fit.kriging.is_on()) return;
  trained_.blocks[classical::Kriging::kBlock] = fit.kriging.to_block();
  save_best();
}

void Trainer::take_folder() {
  const bool was_begun = std::exchange(begun_, true);
  if (!group_.is_first()) return;
  if (!was_begun) folder_.remove_run();
  folder_.write_setup(config_text_, split_, dataset_);
}

void Trainer::fit_in_closed_form(const TrainCallbacks& callbacks) {
  const double begin = seconds_now();
  trained_.model->fit({dataset_, split_.train, sensors_, trained_.normalization});
  counters_ = {};
  counters_.step = 1;
  counters_.seconds = seconds_now() - begin;
  LogRow row;
  row.step = 1;
  row.seconds = counters_.seconds;
  row.validation = validation_.has_cases() ? validation_.judge(trained_, device_).error : std::nan("");
  log_ = {row};
  if (!begun_) take_folder();
  folder_.write_log(log_);
  best_ = {.error = row.validation, .step = 1};
  folder_.write_model(trained_);
  if (callbacks.on_validation) callbacks.on_validation(row, true);
}

bool Trainer::take_step(StepResult& r) {
  const auto batch = batches_->make(counters_.step, counters_.rollbacks);
  const double limit = guard_.limit(counters_.step, counters_.mean_loss);
  r = compute_gradient(*trained_.model, batch, live_, limit, config_.clip_norm, group_);
  if (!r.is_finite() || r.loss > limit) return false;
  r.rate = rate();
  optimizer_->step(r.rate);
  counters_.mean_loss = SpikeGuard::updated_mean(counters_.mean_loss, r.loss);
  ++counters_.step;
  average_->update(counters_.step);
  add(tally_, r);
  return true;
}

// False when the weights are beyond use; then training has gone back to good ones.
bool Trainer::validate(const TrainCallbacks& callbacks) {
  Validation::Judgement judged{std::nan(""), trained_.prior.network_scale};
  if (validation_.has_cases()) {
    const WeightAverage::StandIn stand_in(*average_);
    judged = validation_.judge(trained_, device_, group_);
  }
  const double error = judged.error;
  if (validation_.has_cases() && !std::isfinite(error)) {
    roll_back("the validation error is not finite", callbacks);
    return false;
  }
  if (validation_.has_cases()) schedule_.report(error);
  auto row = mean_of(std::exchange(tally_, {}));
  row.step = counters_.step;
  row.validation = error;
  row.seconds = counters_.seconds;
  log_.push_back(row);
  if (!begun_) take_folder();
  keep_best(judged);
  if (group_.is_first()) folder_.write_log(log_);
  if (callbacks.on_validation) callbacks.on_validation(row, best_.validations_since == 0);
  return true;
}

// Without validation cases the newest weights are the ones to keep.
void Trainer::keep_best(const Validation::Judgement& judged) {
  if (validation_.has_cases() && !(judged.error < best_.error)) {
    ++best_.validations_since;
    return;
  }
  best_ = {judged.error, counters_.step, 0, judged.network_scale, clone(average_->best_guess())};
  save_best();
}

void Trainer::save_best() const {
  if (!group_.is_first()) return;
  TrainedModel kept = trained_;
  kept.model = ModelRegistry::instance().make_model(trained_.model->spec(), trained_.facts());
  auto tensors = clone(trained_.model->tensors());
  for (const auto& [name, t] : best_.weights) tensors[name] = t;
  kept.model->load(tensors, "best weights");
  kept.prior.network_scale = best_.network_scale;
  folder_.write_model(kept);
}

void Trainer::roll_back(const std::string& why, const TrainCallbacks& callbacks) {
  const auto failed_at = counters_.step, rollbacks = counters_.rollbacks + 1;
  const double scale = counters_.rate_scale * 0.5, seconds = counters_.seconds;
  if (rollbacks > config_.max_rollbacks)
    fail("training diverges: {} rollbacks did not help; use a smaller train.rate (the best model so far is kept)",
         config_.max_rollbacks);
  candidate_ = good_;
  restore(good_);
  counters_.rollbacks = rollbacks;
  counters_.rate_scale = scale;
  counters_.seconds = seconds;
  tally_ = {};
  while (!log_.empty() && log_.back().step > counters_.step) log_.pop_back();
  if (callbacks.on_event)
    callbacks.on_event(fmt::format("step {}: {}; back to step {} with the learning rate at {:g} of its schedule",
                                   failed_at, why, counters_.step, scale));
}

// Any rank may be interrupted; of the clocks, the first rank's counts.
TrainOutcome Trainer::look_up(const TrainCallbacks& callbacks) {
  std::array<double, 2> asks = {
      callbacks.should_stop && callbacks.should_stop() ? 1.0 : 0.0,
      group_.is_first() && config_.max_minutes > 0 && counters_.seconds > 60 * config_.max_minutes ? 1.0 : 0.0};
  group_.sum(std::span(asks));
  if (asks[0] > 0) return TrainOutcome::interrupted;
  if (asks[1] > 0) return TrainOutcome::out_of_time;
  if (config_.stop_at > 0 && counters_.step >= config_.stop_at) return TrainOutcome::out_of_time;
  return TrainOutcome::finished;
}

void Trainer::keep_checkpoint() {
  good_ = std::exchange(candidate_, snapshot());
  if (!begun_) take_folder();
  write_checkpoint();
}

void Trainer::write_checkpoint() const {
  if (!group_.is_first()) return;
  save_checkpoint(folder_.checkpoint(), {config_text_, snapshot(), good_, candidate_, best_, log_, tally_});
}

TrainState Trainer::snapshot() const {
  TrainState s;
  s.counters = counters_;
  s.counters.schedule = schedule_.state;
  s.parameters = clone(live_);
  s.optimizer = clone(optimizer_->state());
  s.averaged = clone(average_->state());
  return s;
}

void Trainer::restore(const TrainState& s) {
  const auto where = folder_.checkpoint().string();
  counters_ = s.counters;
  schedule_.state = s.counters.schedule;
  copy_into(live_, s.parameters, where);
  copy_into(optimizer_->state(), s.optimizer, where);
  copy_into(average_->state(), s.averaged, where);
}

void Trainer::resume() {
  const auto path = folder_.checkpoint();
  if (group_.is_first() && !std::filesystem::exists(path)) fail("{}: there is no run to continue here", path.string());
  if (trained_.model->is_fitted_in_closed_form())
    fail("{}: a model of kind \"{}\" is fitted in one go, there is nothing to resume", config_.out,
         config_.model->kind());
  auto checkpoint = group_.size() == 1 ? load_checkpoint(path) : load_together(path, group_);
  check_may_go_on(checkpoint.config, seen_from(config_.out, config_), path.string());
  restore(checkpoint.now);
  good_ = std::move(checkpoint.good);
  candidate_ = std::move(checkpoint.candidate);
  best_ = std::move(checkpoint.best);
  log_ = std::move(checkpoint.log);
  tally_ = checkpoint.tally;
  begun_ = true;
}

}  // namespace fluidsplat::learn

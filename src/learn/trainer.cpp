// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/trainer.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/threads.h"
#include "field/metrics.h"

namespace fluidsplat::learn {
namespace {

// How fast the mean loss that spikes are measured against forgets, and the steps it needs to mean something.
constexpr double kForget = 0.98;
constexpr Index kSettle = 20;
constexpr std::uint64_t kValidationStream = 3;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double value_of(const torch::Tensor& t) {
  return t.defined() ? t.item<double>() : 0.0;
}

TensorMap zip(const TensorMap& names, const std::vector<torch::Tensor>& values) {
  TensorMap out;
  std::size_t i = 0;
  for (const auto& [name, unused] : names) out[name] = values[i++];
  return out;
}

std::vector<torch::Tensor> values(const TensorMap& map) {
  std::vector<torch::Tensor> out;
  for (const auto& [name, t] : map) out.push_back(t);
  return out;
}

std::vector<Index> pick_points(Index points, Index wanted, std::uint64_t seed) {
  std::vector<Index> all(points);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  if (wanted == 0 || wanted >= points) return all;
  Random(seed, kValidationStream).shuffle(all);
  all.resize(wanted);
  return all;
}

}  // namespace

std::string to_toml(TrainConfig config) {
  Config keys;
  config.bind(keys);
  return keys.to_toml();
}

Trainer::Trainer(TrainConfig config, const field::Dataset& dataset, field::Split split, field::SensorLayout sensors)
    : config_(std::move(config)), dataset_(dataset), split_(std::move(split)), device_(torch::kCPU) {
  config_.check();
  try {
    device_ = torch::Device(config_.device);
    torch::zeros({1}, device_);
  } catch (const c10::Error& e) {
    fail("train.device = {}: not available here", config_.device);
  }
  torch::set_num_threads(config_.threads > 0 ? int(config_.threads) : available_threads());
  torch::manual_seed(config_.seed);

  const auto& schema = dataset.schema();
  config_.model.dim = schema.dim();
  config_.model.channels = std::ssize(schema.channels);
  config_.model.features = std::ssize(schema.features);
  config_.model.descriptors = std::ssize(schema.descriptors);
  config_.model.geometry_features = config_.model.geometry ? schema.dim() : 0;
  config_text_ = to_toml(config_);

  bundle_.schema = schema;
  bundle_.normalizer = field::fit_normalizer(dataset, split_.train);
  bundle_.sensors = std::move(sensors);
  bundle_.model = std::make_shared<FluidSplat>(config_.model);
  bundle_.model->to(device_);
  if (config_.engine == "fused" && device_.is_cpu()) bundle_.model->use_fused_engine();
  sensors_ = std::make_unique<field::SensorPlan>(bundle_.sensors, dataset);
  bundle_.normalizer.readings = sensors_->learn_usual(dataset, split_.train, bundle_.normalizer.channels);
  bundle_.sensors = sensors_->layout();
  batches_ = std::make_unique<BatchMaker>(config_, dataset, split_.train, bundle_.normalizer, *sensors_, device_);
  live_ = parameters_of(*bundle_.model);
  adam_ = std::make_unique<Adam>(values(live_), config_.weight_decay);
  schedule_ = std::make_unique<Schedule>(config_.schedule);
  for (Index m = 0; m < dataset.mesh_count(); ++m)
    validation_points_.push_back(pick_points(dataset.mesh(m)->size(), config_.validation_points, config_.seed + m));
  if (config_.ema > 0) averaged_ = clone(live_);
  good_ = candidate_ = snapshot();
}

Trainer::~Trainer() = default;

TrainState Trainer::snapshot() const {
  TrainState s;
  s.counters = counters_;
  s.counters.adam_steps = adam_->steps;
  s.counters.schedule = schedule_->state;
  s.parameters = clone(live_);
  s.first = clone(zip(live_, adam_->first));
  s.second = clone(zip(live_, adam_->second));
  s.averaged = clone(averaged_);
  return s;
}

void Trainer::restore(const TrainState& s) {
  counters_ = s.counters;
  adam_->steps = s.counters.adam_steps;
  schedule_->state = s.counters.schedule;
  const auto where = file("checkpoint.safetensors").string();
  copy_into(live_, s.parameters, where);
  copy_into(zip(live_, adam_->first), s.first, where);
  copy_into(zip(live_, adam_->second), s.second, where);
  copy_into(averaged_, s.averaged, where);
}

void Trainer::resume() {
  const auto path = file("checkpoint.safetensors");
  auto checkpoint = load_checkpoint(path);
  if (checkpoint.config != config_text_)
    fail("{}: was made with other settings; resume with the same config (see {}), or start a new run with out=...",
         path.string(), file("config.toml").string());
  restore(checkpoint.now);
  good_ = std::move(checkpoint.good);
  candidate_ = std::move(checkpoint.candidate);
  best_ = std::move(checkpoint.best);
  log_ = std::move(checkpoint.log);
}

void Trainer::write_checkpoint() {
  save_checkpoint(file("checkpoint.safetensors"), {config_text_, snapshot(), good_, candidate_, best_, log_});
}

void Trainer::write_log() const {
  std::string text = "step,loss,data,observation,surface,rate,gradient,validation,seconds\n";
  for (const auto& r : log_)
    text += fmt::format("{},{:.8g},{:.8g},{:.8g},{:.8g},{:.6g},{:.6g},{:.8g},{:.2f}\n", r.step, r.loss, r.data,
                        r.observation, r.surface, r.rate, r.gradient, r.validation, r.seconds);
  write_file(file("log.csv"), text);
}

Trainer::StepResult Trainer::take_step() {
  const auto batch = batches_->make(counters_.step, counters_.rollbacks);
  for (auto& [name, p] : live_) p.mutable_grad() = torch::Tensor();
  const auto loss = compute_loss(*bundle_.model, batch, config_.lambda_obs, config_.lambda_surface);
  StepResult r{false,
               value_of(loss.total),
               value_of(loss.data),
               value_of(loss.observation),
               value_of(loss.surface),
               0,
               schedule_->rate(counters_.step) * counters_.rate_scale};
  if (!std::isfinite(r.loss) || (counters_.step >= kSettle && r.loss > config_.explode_factor * counters_.mean_loss))
    return r;

  loss.total.backward();
  double square = 0;
  for (const auto& [name, p] : live_)
    if (p.grad().defined()) square += p.grad().square().sum().item<double>();
  r.gradient = std::sqrt(square);
  if (!std::isfinite(r.gradient)) return r;
  if (config_.clip_norm > 0 && r.gradient > config_.clip_norm)
    for (auto& [name, p] : live_)
      if (p.grad().defined()) p.mutable_grad().mul_(config_.clip_norm / r.gradient);
  adam_->step(r.rate);
  update_average();
  counters_.mean_loss = counters_.mean_loss == 0 ? r.loss : kForget * counters_.mean_loss + (1 - kForget) * r.loss;
  ++counters_.step;
  r.good = true;
  return r;
}

void Trainer::update_average() {
  if (averaged_.empty()) return;
  torch::NoGradGuard no_grad;
  // A young average forgets faster, so that the initial weights do not linger.
  const double step = double(counters_.step);
  const double decay = std::min(config_.ema, (1 + step) / (10 + step));
  for (auto& [name, t] : averaged_) t.mul_(decay).add_(live_.at(name).detach(), 1 - decay);
}

double Trainer::validate() {
  // The averaged weights are the ones that will be kept: they stand in for the live ones here.
  const TensorMap parked = averaged_.empty() ? TensorMap{} : clone(live_);
  if (!parked.empty()) copy_into(live_, averaged_, "averaged weights");
  Predictor predictor(bundle_, device_);
  double sum = 0;
  for (auto index : split_.validation) {
    const auto c = dataset_.load(index);
    const auto m = dataset_.mesh_of(index);
    const auto& points = validation_points_[m];
    const auto said = predictor.reconstruct_at(sensors_->read(c, m), c.descriptors, *c.mesh, points, false).field;
    field::Matrix truth(said.rows(), said.cols());
    for (Index i = 0; i < truth.rows(); ++i) truth.row(i) = c.fields.row(points[i]);
    sum += field::compare(said, truth).relative_l2;
  }
  if (!parked.empty()) copy_into(live_, parked, "live weights");
  return sum / double(split_.validation.size());
}

void Trainer::keep_if_best(double error) {
  if (!(error < counters_.best_error)) {
    ++counters_.since_best;
    return;
  }
  counters_.best_error = error;
  counters_.since_best = 0;
  best_ = clone(live_or_averaged());
  ModelBundle kept = bundle_;
  kept.model = std::make_shared<FluidSplat>(config_.model);
  copy_into(parameters_of(*kept.model), best_, "best weights");
  save_model(file("model.safetensors"), kept);
}

bool Trainer::roll_back(const std::string& why, const TrainCallbacks& callbacks) {
  candidate_ = good_;
  const auto failed_at = counters_.step, rollbacks = counters_.rollbacks + 1;
  const double scale = counters_.rate_scale * 0.5, seconds = counters_.seconds;
  restore(good_);
  counters_.rollbacks = rollbacks;
  counters_.rate_scale = scale;
  counters_.seconds = seconds;
  while (!log_.empty() && log_.back().step > counters_.step) log_.pop_back();
  if (callbacks.on_event)
    callbacks.on_event(fmt::format("step {}: {}; back to step {} with the learning rate at {:g} of its schedule",
                                   failed_at, why, counters_.step, scale));
  return rollbacks <= config_.max_rollbacks;
}

TrainOutcome Trainer::run(const TrainCallbacks& callbacks) {
  write_file(file("config.toml"), config_text_);
  field::write_split(file("split.json"), split_);
  bundle_.model->train();
  TrainOutcome outcome = TrainOutcome::finished;
  double last = seconds_now();
  LogRow sums;
  Index summed = 0;
  while (counters_.step < config_.schedule.steps) {
    const auto r = take_step();
    const double now = seconds_now();
    counters_.seconds += now - last;
    last = now;
    if (!r.good) {
      sums = {};
      summed = 0;
      const auto why = std::isfinite(r.loss) && std::isfinite(r.gradient)
                           ? fmt::format("the loss jumped to {:.3g} from about {:.3g}", r.loss, counters_.mean_loss)
                           : std::string("the loss or its gradient is not finite");
      if (!roll_back(why, callbacks))
        fail("training diverges: {} rollbacks did not help; use a smaller train.rate (the best model so far is kept)",
             config_.max_rollbacks);
      continue;
    }
    sums.loss += r.loss, sums.data += r.data, sums.observation += r.observation, sums.surface += r.surface;
    sums.gradient += r.gradient;
    ++summed;
    if (callbacks.on_step) callbacks.on_step(counters_.step, r.loss, r.rate);

    const bool last_step = counters_.step >= config_.schedule.steps;
    if (counters_.step % config_.validate_every == 0 || last_step) {
      const double error = validate();
      if (!std::isfinite(error)) {
        if (!roll_back("the validation error is not finite", callbacks)) fail("training diverges");
        continue;
      }
      schedule_->report(error);
      const double n = double(summed);
      log_.push_back({counters_.step, sums.loss / n, sums.data / n, sums.observation / n, sums.surface / n, r.rate,
                      sums.gradient / n, error, counters_.seconds});
      sums = {};
      summed = 0;
      keep_if_best(error);
      write_log();
      if (callbacks.on_validation) callbacks.on_validation(log_.back(), counters_.since_best == 0);
      if (config_.early_stop > 0 && counters_.since_best >= config_.early_stop && counters_.step >= config_.min_steps)
        outcome = TrainOutcome::early_stopped;
    }
    if (counters_.step % config_.checkpoint_every == 0 || last_step) {
      good_ = std::exchange(candidate_, snapshot());
      write_checkpoint();
    }
    if (config_.max_minutes > 0 && counters_.seconds > 60 * config_.max_minutes) outcome = TrainOutcome::out_of_time;
    if (callbacks.should_stop && callbacks.should_stop()) outcome = TrainOutcome::interrupted;
    if (outcome != TrainOutcome::finished) {
      write_checkpoint();
      break;
    }
  }
  return outcome;
}

}  // namespace fluidsplat::learn

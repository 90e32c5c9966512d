// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/compare.h"

#include <cmath>

#include "base/error.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "baselines/classical_methods.h"
#include "baselines/trained_methods.h"
#include "learn/config/measure_step.h"
#include "learn/model/open_model.h"
#include "learn/model/torch_field_model.h"
#include "learn/train/trainer.h"

namespace fluidsplat::baselines {
namespace {

using reconstruct::Comparison;
using reconstruct::MethodResult;

std::vector<Index> spread(const std::vector<Index>& cases, Index most) {
  const Index count = std::min<Index>(most, std::ssize(cases));
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) out.push_back(cases[i * std::ssize(cases) / count]);
  return out;
}

// As many steps as the time allows; the schedule then ends with it.
learn::TrainConfig fit_to_budget(learn::TrainConfig config, double seconds, const field::Dataset& dataset,
                                 const field::Split& split, const field::SensorLayout& sensors) {
  constexpr Index kValidations = 8;
  const auto cost = learn::measure_step(config, dataset, split, sensors);
  const double left = std::max(0.0, seconds - kValidations * cost.validation_seconds);
  config.schedule.steps = std::max<Index>(kValidations, std::lround(left / cost.step_seconds));
  config.validate_every = config.schedule.steps / kValidations;
  config.min_steps = 0;
  config.early_stop = 0;
  // A machine that slows down may not take twice the time that was promised.
  config.max_minutes = 1.5 * seconds / 60;
  return config;
}

class Runner {
 public:
  Runner(const CompareRequest& request, const field::SeenData& data, const field::Split& split,
         const field::SensorLayout& sensors, Index count)
      : request_(request),
        data_(data.data()),
        dataset_(*data),
        split_(split),
        sensors_(sensors),
        fits_(*data, split, sensors),
        count_(count) {
    out_.data = data_.name();
    out_.training_cases = std::ssize(split.train);
    out_.sensors = sensors.size();
    out_.conditions = reconstruct::usual_conditions(sensors.size());
    cases_ = spread(split.test, request.cases);
    out_.cases = std::ssize(cases_);
  }

  bool classical(const ClassicalMethod& method) {
    return judge({.name = method.name}, [&](MethodResult& result) {
      auto fit = fits_.make(method);
      result.seconds_to_fit = fit.seconds;
      return std::make_unique<learn::TorchFieldModel>(std::move(fit.trained));
    });
  }

  bool trained(const TrainedMethod& method, double seconds) {
    return judge({.name = method.name, .is_trained = true}, [&](MethodResult& result) {
      const Stopwatch watch;
      const auto config = fit_to_budget(method.config, seconds, dataset_, split_, sensors_);
      learn::Trainer trainer(config, dataset_, split_, sensors_);
      learn::TrainCallbacks callbacks;
      callbacks.should_stop = [&] { return !goes_on(); };
      callbacks.on_step = [&](Index step, double, double) {
        tell(double(step) / double(config.schedule.steps), result.name);
      };
      trainer.run(callbacks);
      result.seconds_to_fit = watch.seconds();
      result.parameters = learn::parameter_count(*trainer.trained().model);
      return learn::open_field_model(trainer.folder().model(), available_threads());
    });
  }

  Comparison take() { return std::move(out_); }

 private:
  bool goes_on() const { return !request_.hooks.should_stop(); }
  void tell(double done, const std::string& name) const {
    request_.hooks.tell(done, fmt::format("{} ({} of {})", name, out_.methods.size() + 1, count_));
  }

  bool judge(MethodResult result,
             const std::function<std::unique_ptr<reconstruct::FieldModel>(MethodResult&)>& make_model) {
    if (!goes_on()) return false;
    tell(0, result.name);
    try {
      const auto model = make_model(result);
      if (!goes_on()) return false;
      result.seconds_to_answer = reconstruct::seconds_to_answer(*model, dataset_, cases_.front());
      for (const auto& condition : out_.conditions) {
        const auto errors = reconstruct::judge(*model, data_, cases_, condition.disturbance, [&] { return goes_on(); });
        if (!errors) return false;
        result.errors.push_back(*errors);
      }
    } catch (const Error& e) {
      result.errors.clear();
      result.trouble = e.what();
    }
    out_.methods.push_back(std::move(result));
    return true;
  }

  const CompareRequest& request_;
  const field::Dataset &data_, &dataset_;  // as it is, to judge by; as models see it
  const field::Split& split_;
  const field::SensorLayout& sensors_;
  ClassicalFits fits_;
  Index count_;  // of methods
  std::vector<Index> cases_;
  Comparison out_;
};

}  // namespace

std::optional<Comparison> compare(const CompareRequest& request, const field::SeenData& data, const field::Split& split,
                                  const field::SensorLayout& sensors) {
  if (split.test.empty()) fail("{}: the split leaves no unseen cases to compare on", data->name());
  const auto classical = classical_methods(sensors);
  const Index dim = data->schema().dim();
  const auto trained = request.minutes <= 0       ? std::vector<TrainedMethod>()
                       : request.networks.empty() ? trained_methods(request.config, dim)
                                                  : trained_methods(request.config, dim, request.networks);
  Runner runner(request, data, split, sensors, std::ssize(classical) + std::ssize(trained));
  for (const auto& method : classical)
    if (!runner.classical(method)) return {};
  for (const auto& method : trained)
    if (!runner.trained(method, 60 * request.minutes / double(trained.size()))) return {};
  return runner.take();
}

std::optional<reconstruct::BestClassical> best_classical(const field::SeenData& data, const field::Split& split,
                                                         const field::SensorLayout& sensors,
                                                         const std::function<bool()>& go_on) {
  constexpr Index kJudges = 20;
  const auto judges = spread(split.validation.empty() ? split.test : split.validation, kJudges);
  std::unique_ptr<learn::TorchFieldModel> best;
  reconstruct::BestClassical out;
  double least = std::numeric_limits<double>::infinity();
  ClassicalFits fits(*data, split, sensors);
  for (const auto& method : classical_methods(sensors)) {
    try {
      auto [trained, seconds] = fits.make(method);
      auto model = std::make_unique<learn::TorchFieldModel>(std::move(trained));
      const auto errors = reconstruct::judge(*model, data.data(), judges, {}, go_on);
      if (!errors) return {};
      if (errors->mean >= least) continue;
      least = errors->mean;
      out.method = method.name;
      out.seconds_to_fit = seconds;
      best = std::move(model);
    } catch (const Error&) {
      // One that these data do not suit is not the best; compare() says why.
    }
  }
  if (!best) return {};
  const auto errors = reconstruct::judge(*best, data.data(), split.test, {}, go_on);
  if (!errors) return {};
  out.errors = *errors;
  return out;
}

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// bench_optimizer CONFIG THREADS [key=value ...]: what an optimiser adds to a fused training step of the config's model
// and batch, on a made-up wake of the cylinder's grid.  Steps alternate between batch, gradient and optimiser, so all
// see the same machine.  Optimisers that do more in their first steps are past them.  SOAP's work repeats itself after
// a cycle of steps: each step of the cycle is given its median over the cycles, and the longest of these tells whether
// work is spread, without the moments in which the machine did something else.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "field/mean_field.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/model/registry.h"
#include "learn/optim/optimizer.h"
#include "learn/optim/refresh_plan.h"
#include "learn/train/torch_session.h"
#include "learn/train/train_step.h"

using namespace fluidsplat;
using namespace fluidsplat::learn;

namespace {

constexpr Index kPast = 2000, kCycle = refresh_cycle(kPast), kCycles = 5, kWarmUp = kCycle;

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void measure(const TrainConfig& given, const field::Dataset& data, const char* name, OptimizerKind kind) {
  TrainConfig config = given;
  const auto facts = facts_of(data);
  config.model->fit_to(facts.schema);
  const auto split = make_split(config.data, data);
  const field::SensorPlacement sensors(make_sensors(config.sensors, data), data);
  const auto normalization = field::fit_normalization(data, split.train);
  const TorchSession session(config.threads, config.seed);
  const auto model = ModelRegistry::instance().make_model(*config.model, facts);
  model->use_fast_kernels();
  BatchMaker batches(config, data, split.train, normalization, sensors, model->looks_at_wall(), torch::kCPU);
  TensorMap parameters;
  Index count = 0;
  for (const auto& item : model->named_parameters()) {
    parameters[item.key()] = item.value();
    count += item.value().numel();
  }
  const auto optimizer = make_optimizer({kind, 1e-6}, parameters);
  std::vector<double> gradient;
  std::vector<std::vector<double>> step(kCycle);
  for (Index i = 0; i < kWarmUp + kCycles * kCycle; ++i) {
    const auto start = std::chrono::steady_clock::now();
    compute_gradient(*model, batches.make(i, 0), parameters, 1e300, config.clip_norm);
    const auto middle = std::chrono::steady_clock::now();
    optimizer->step(1e-4);
    const auto end = std::chrono::steady_clock::now();
    if (i == 0 && optimizer->state().contains("steps")) optimizer->state().at("steps").fill_(double(kPast));
    if (i < kWarmUp) continue;
    gradient.push_back(std::chrono::duration<double, std::milli>(middle - start).count());
    step[i % kCycle].push_back(std::chrono::duration<double, std::milli>(end - middle).count());
  }
  double mean = 0, longest = 0;
  for (const auto& times : step) {
    mean += median(times) / double(kCycle);
    longest = std::max(longest, median(times));
  }
  const double rest = median(gradient);
  fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} % | {:.1f} % |\n", name, count, rest, mean, longest,
             100 * mean / rest, 100 * mean / (rest + mean));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return fmt::print("usage: bench_optimizer CONFIG THREADS [key=value ...]\n"), 2;
  auto config = read_train_config(argv[1], {argv + 3, argv + argc});
  config.threads = std::atoi(argv[2]);
  const auto data = toy_wake(60, 112, 192);
  config.data.train_cases = 40;
  config.data.validation_cases = 1;
  fmt::print(
      "| optimiser | parameters | batch and gradient, ms | its step, ms | longest | of the gradient | of the whole "
      "step |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  measure(config, data, "adam", OptimizerKind::kAdam);
  measure(config, data, "soap", OptimizerKind::kSoap);
  measure(config, data, "muon", OptimizerKind::kMuon);
}

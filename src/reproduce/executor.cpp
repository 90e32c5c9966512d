// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/executor.h"

#include "base/error.h"
#include "base/folder_lock.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "baselines/classical_methods.h"
#include "field/provenance.h"
#include "learn/config/setup.h"
#include "learn/model/open_model.h"
#include "learn/model/torch_field_model.h"
#include "learn/train/torch_session.h"
#include "reproduce/cost.h"
#include "reproduce/judge.h"
#include "reproduce/methods.h"
#include "reproduce/training.h"

namespace fluidsplat::reproduce {
namespace {

namespace fs = std::filesystem;

// What a config makes of a benchmark's data.
struct Protocol {
  Protocol(const learn::TrainConfig& config, const BenchmarkData& data)
      : seen(*data.dataset, learn::how_seen(config.data)),
        dataset(*seen),
        split(learn::make_split(config.data, *data.dataset)),
        sensors(learn::make_sensors(config.sensors, *data.dataset)) {
    if (split.test.empty()) fail("{}: the split leaves no unseen cases to judge by", data.file.string());
  }
  field::SeenData seen;
  const field::Dataset& dataset;
  field::Split split;
  field::SensorLayout sensors;
};

int threads_of(const learn::TrainConfig& config) {
  return config.threads > 0 ? int(config.threads) : available_threads();
}

// Fills in how the model does; false when the hooks stopped it.
bool judge_all(Outcome& out, reconstruct::FieldModel& model, const Protocol& protocol, const std::vector<Index>& cases,
               const std::vector<Index>& sensors, const RunHooks& hooks) {
  for (const auto& c : protocol.dataset.schema().channels) out.channels.push_back(c.name);
  out.seconds_to_answer = reconstruct::seconds_to_answer(model, protocol.dataset, cases.front());
  for (const Index n : sensors) {
    hooks.tell(double(out.judged.size()) / double(sensors.size()), "judging");
    auto judged = judge(model, protocol.seen.data(), cases, n, [&] { return !hooks.should_stop(); });
    if (!judged) return false;
    out.judged.push_back(std::move(*judged));
  }
  return true;
}

}  // namespace

// The fits of one layout share modes.
struct Executor::Classical {
  Classical(const Run& run, const BenchmarkData& data)
      : benchmark(run.subject.benchmark),
        layout(run.subject.layout),
        hash(data.hash),
        protocol(run.config, data),
        fits(protocol.dataset, protocol.split, protocol.sensors) {}
  bool is_for(const Run& run, const BenchmarkData& data) const {
    return benchmark == run.subject.benchmark && layout == run.subject.layout && hash == data.hash;
  }
  std::string benchmark, layout, hash;
  Protocol protocol;
  baselines::ClassicalFits fits;
};

Executor::Executor(fs::path work, Index cases) : work_(std::move(work)), cases_(cases) {}
Executor::~Executor() = default;

fs::path Executor::model_file(const Run& run, const std::string& data_hash) const {
  return work_ / run_folder(run, data_hash) / "model.safetensors";
}

std::optional<Outcome> Executor::fit(const Run& run, const BenchmarkData& data, const RunHooks& hooks) {
  const learn::TorchSession session(run.config.threads);
  if (!classical_ || !classical_->is_for(run, data)) classical_ = std::make_unique<Classical>(run, data);
  const auto& protocol = classical_->protocol;
  const auto cases = spread(protocol.split.test, cases_);
  Outcome out;
  out.cases = std::ssize(cases);
  if (run.subject.method == kCost) {
    auto timings = time_methods(run, data.file, protocol.dataset, protocol.split, protocol.sensors, hooks);
    if (!timings) return {};
    out.timings = std::move(*timings);
    return out;
  }
  hooks.tell(0, "fitting");
  try {
    auto fit = classical_->fits.make({run.subject.method, classical_settings(run.subject.method)});
    out.seconds_to_train = fit.seconds;
    learn::TorchFieldModel model(std::move(fit.trained));
    if (!judge_all(out, model, protocol, cases, run.sensors, hooks)) return {};
  } catch (const Error& e) {
    out.judged.clear();
    out.trouble = e.what();
  }
  return out;
}

std::optional<Outcome> Executor::train_in(const fs::path& folder, bool measure, const Run& run,
                                          const BenchmarkData& data, learn::TrainConfig& done, const RunHooks& hooks) {
  const Protocol protocol(run.config, data);
  const auto cases = spread(protocol.split.test, cases_);
  const auto trained =
      train({run.config, data.file, folder, measure}, protocol.dataset, protocol.split, protocol.sensors, hooks);
  if (!trained) return {};
  done = trained->config;
  const auto model = learn::open_field_model(trained->model, threads_of(run.config));
  Outcome out;
  out.cases = std::ssize(cases);
  out.parameters = model->parameters();
  out.steps = trained->steps;
  out.seconds_to_train = trained->seconds;
  out.ended = trained->ended;
  const learn::TorchSession session(run.config.threads);
  if (!judge_all(out, *model, protocol, cases, run.sensors, hooks)) return {};
  return out;
}

std::optional<Finished> Executor::carry_out(const fs::path& folder, bool measure, const Run& run,
                                            const BenchmarkData& data, const RunHooks& hooks) {
  const Stopwatch watch;
  Finished out{manifest_for(run), {}};
  auto done = run.config;
  auto outcome = run.is_classical ? fit(run, data, hooks) : train_in(folder, measure, run, data, done, hooks);
  if (!outcome) return {};
  out.outcome = std::move(*outcome);
  auto& m = out.manifest;
  m.config = settings_text(done);
  m.cases = cases_;
  m.data = data.title;
  m.data_hash = data.hash;
  m.date = field::utc_now();
  m.seconds = watch.seconds();
  return out;
}

std::optional<Finished> Executor::execute(const Run& run, const BenchmarkData& data, const RunHooks& hooks) {
  const auto folder = work_ / run_folder(run, data.hash);
  if (run.is_classical) return carry_out(folder, true, run, data, hooks);
  const FolderLock lock(folder, "training");
  return carry_out(folder, true, run, data, hooks);
}

std::optional<Finished> Executor::repeat(const Manifest& m, const BenchmarkData& data, const RunHooks& hooks) {
  const Run run{m.subject, m.is_classical, learn::parse_train_config(m.config, "the manifest's config"), m.sensors};
  const auto folder = work_ / run_folder(run, data.hash);
  const FolderLock lock(folder, "training");
  forget_training(folder);
  return carry_out(folder, false, run, data, hooks);
}

}  // namespace fluidsplat::reproduce

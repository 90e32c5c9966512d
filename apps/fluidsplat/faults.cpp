// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

#include "apps/commands.h"
#include "apps/file_kind.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "calibrate/fault_trials.h"
#include "calibrate/shift_trial.h"
#include "field/dataset_file.h"
#include "field/seen_data.h"
#include "learn/config/setup.h"
#include "learn/model/open_model.h"
#include "uncertainty/calibration_text.h"

namespace fluidsplat::app {
namespace {

struct FaultOptions {
  std::string model, data, split;
  std::vector<std::string> others;
  std::filesystem::path table;
  Index normal_frames = 100000;
  bool shift_only = false;
  int threads = 0;
  calibrate::FaultRequest request;
};

// Cases that neither trained, chose the checkpoint nor calibrated, in order of time.
void choose_cases(FaultOptions& o, const field::Split& split, const field::Dataset& dataset) {
  auto seen = split.train;
  const auto& calibrated = o.request.calibration->cases;
  seen.insert(seen.end(), split.validation.begin(), split.validation.end());
  seen.insert(seen.end(), calibrated.begin(), calibrated.end());
  std::ranges::sort(seen);
  std::vector<std::pair<double, Index>> left;
  for (auto index : split.test)
    if (!std::ranges::binary_search(seen, index)) left.push_back({dataset.load(index).time, index});
  std::ranges::sort(left);
  for (const auto& [time, index] : left) o.request.cases.push_back(index);
  o.request.train_cases = split.train;
}

void print(const std::vector<calibrate::FaultRow>& rows) {
  fmt::print("fault         size  found  in rows  named  sound blamed  in rows   error: handled  believed  oracle\n");
  for (const auto& r : rows) {
    const bool none = r.kind == uncertainty::SensorState::fine;
    fmt::print("{:<12} {:>5g}  {:>5}  {:>7}  {:>5}  {:>12.2f}  {:>7.3f}  {:>15.4f}  {:>8.4f}  {:>6.4f}\n",
               none ? "none" : name_of(r.kind), r.size, none ? "" : fmt::format("{:.2f}", r.found),
               none ? "" : fmt::format("{:.2f}", r.found_rows), none ? "" : fmt::format("{:.2f}", r.named), r.blamed,
               r.blamed_rows, r.handled, r.believed, r.oracle);
  }
}

void try_shift(const FaultOptions& o, reconstruct::FieldModel& model, const field::Dataset& dataset,
               const calibrate::CalibrationHooks& hooks, std::optional<Progress>& progress) {
  const auto& calibration = o.request.calibration;
  const auto normal = calibrate::strangeness_of(model, dataset, o.request.cases, calibration, hooks);
  progress.reset();
  if (normal.empty()) return;
  fmt::print("{}: {} false alarms of the shift test in {} normal frames (blocks of {} left frames drawn again)\n",
             dataset.name(), calibrate::false_shift_alarms(normal, *calibration, o.normal_frames, o.request.seed),
             o.normal_frames, normal.size());
  for (const auto& name : o.others) {
    const field::DatasetFile file(name);
    const field::SeenData seen(file, model.schema());
    const auto& other = *seen;
    reconstruct::check_schema(model.schema(), other.schema(), other.name());
    std::vector<Index> cases(other.size());
    std::iota(cases.begin(), cases.end(), 0);
    const auto found = calibrate::strangeness_of(model, other, cases, calibration, hooks);
    progress.reset();
    if (found.empty()) return;
    const auto frames = calibrate::frames_to_warning(found, *calibration);
    if (frames > 0)
      fmt::print("{}: warned after {} of {} frames (blocks of {})\n", other.name(), frames, other.size(),
                 calibration->block);
    else
      fmt::print("{}: no warning in {} frames\n", other.name(), other.size());
  }
}

void faults_command(FaultOptions& o) {
  const auto file = model_file(o.model);
  learn::check_dataset_exists(o.data);
  expect_kind(o.data, FileKind::dataset);
  const field::DatasetFile dataset(o.data);
  o.request.calibration = uncertainty::read_calibration(model::ModelFile::open(file));
  if (!o.request.calibration)
    fail("{}: has no calibration, by which sensors are held against each other; \"fluidsplat calibrate\" adds one",
         file.string());
  const auto split_file = o.split.empty() ? file.parent_path() / "split.json" : std::filesystem::path(o.split);
  choose_cases(o, field::read_split(split_file, dataset), dataset);
  const auto model = learn::open_field_model(file, o.threads > 0 ? o.threads : available_threads());
  reconstruct::check_schema(model->schema(), dataset.schema(), dataset.name());

  const field::SeenData seen(dataset, model->schema());
  std::optional<Progress> progress;
  std::string doing;
  calibrate::CalibrationHooks hooks;
  hooks.interrupted = interrupted;
  hooks.progress = [&](const char* what, Index done, Index total) {
    if (what != doing || !progress) progress.reset(), progress.emplace(doing = what, total);
    progress->update(done);
  };
  const auto& law = o.request.calibration->law;
  fmt::print("{} unseen cases; readings are expected {}\n", o.request.cases.size(),
             !law                       ? "by the model from the other sensors"
             : law->is_always_sharper() ? "by the law of training readings"
                                        : "by the law of training readings or by the model, whichever is sharper");
  fmt::print("sensors: {}\n", uncertainty::describe_false_alarms(*o.request.calibration, o.request.false_alarms));
  if (!o.shift_only) {
    const auto rows = calibrate::try_faults(*model, *seen, o.request, hooks);
    progress.reset();
    if (rows.empty()) return;
    print(rows);
    if (!o.table.empty()) write_file(o.table, calibrate::faults_csv(rows));
  }
  if (!o.others.empty() || o.shift_only) try_shift(o, *model, *seen, hooks, progress);
}

}  // namespace

void add_faults(CLI::App& app) {
  auto o = std::make_shared<FaultOptions>();
  auto* command = app.add_subcommand(
      "faults", "put faults into readings that a calibrated model has not seen, and count what is found");
  command->add_option("model", o->model, "a model file or a run folder")->required();
  command->add_option("--data", o->data, "the dataset that it was calibrated on")->required();
  command->add_option("--split", o->split, "the split file (default: split.json beside the model)");
  command->add_option("--rows", o->request.rows, "instants in a series (60)")->check(CLI::Range(1, 1000000));
  command->add_option("--trials", o->request.trials, "series for each kind and size of fault (20)")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--judged", o->request.judged, "rows of each whose field is compared with the truth (2)")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--false-alarms", o->request.false_alarms, "share of rows, and of series, with sound sensors (0.01)")
      ->check(CLI::Range(1e-6, 0.5));
  command->add_option("--shift", o->others, "datasets of other flows: how soon are they noticed?");
  command->add_flag("--shift-only", o->shift_only, "no faults of single sensors");
  command->add_option("--normal-frames", o->normal_frames, "to count false alarms of the shift test in (100000)")
      ->check(CLI::Range(1, 1000000000));
  command->add_option("--table", o->table, "CSV for the table of faults");
  command->add_option("--seed", o->request.seed, "of series, sensors and noise");
  command->add_option("--threads", o->threads, "0 = OMP_NUM_THREADS or all processors")->check(CLI::Range(0, 1024));
  command->callback([o] { faults_command(*o); });
}

}  // namespace fluidsplat::app

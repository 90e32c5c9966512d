// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/run_evaluation.h"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>
#include <set>

#include "apps/command_line.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "field/content_hash.h"
#include "field/error_text.h"
#include "field/seen_data.h"
#include "field/sensor_count.h"
#include "field/sensor_file.h"
#include "learn/model/open_model.h"
#include "reconstruct/evaluate_model.h"
#include "reconstruct/reading_check.h"
#include "reconstruct/target.h"

namespace fluidsplat::app {
namespace {

std::string& command() {
  static std::string text;
  return text;
}

// A word as one would type it in a shell.
std::string as_typed(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n\"'\\$*?[]{}~#!`;&|<>()") == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::vector<Index> chosen_cases(const EvaluationSource& source, const field::Dataset& dataset) {
  if (source.cases == "all") {
    std::vector<Index> all(dataset.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const auto& split = source.split.value();
  return source.cases == "test" ? split.test : source.cases == "train" ? split.train : split.validation;
}

field::SensorLayout chosen_sensors(const EvaluationSource& source, const reconstruct::FieldModel& model,
                                   const field::Dataset& dataset) {
  const auto mesh = dataset.mesh(0);
  auto layout = model.sensors();
  if (!source.sensors.empty())
    layout = field::read_sensor_csv(source.sensors, model.schema(), *mesh,
                                    field::channel_indices({}, model.schema(), source.sensors.string()));
  return source.count > 0 ? field::with_count(layout, source.count, *mesh) : layout;
}

field::Provenance provenance_of(const EvaluationSource& source, const field::Dataset& dataset) {
  field::Provenance p;
  p.data = dataset.name();
  p.data_hash = field::hash_file(dataset.name());
  p.cases = source.cases;
  if (source.split) {
    p.split = source.split_name;
    p.split_hash = field::split_hash(*source.split);
    p.seed = source.split->seed;
  }
  p.model = source.model.string();
  p.model_hash = field::hash_file(source.model);
  p.sensors = source.sensors.empty() ? "as in training" : source.sensors.string();
  if (source.count > 0) p.sensors += fmt::format(", {} of them", source.count);
  if (source.disturbance.noise > 0) p.sensors += fmt::format(", with noise {:g}", source.disturbance.noise);
  if (source.disturbance.dead > 0) p.sensors += fmt::format(", {} of them silent", source.disturbance.dead);
  p.version = FLUIDSPLAT_VERSION;
  p.command = command();
  p.date = field::utc_now();
  return p;
}

}  // namespace

const std::string& command_line() {
  return command();
}

void remember_command(int argc, char** argv) {
  // Without the folder of the program: results say what was asked, not on whose machine.
  command() = std::filesystem::path(argv[0]).filename().string();
  for (int i = 1; i < argc; ++i) command() += " " + as_typed(argv[i]);
}

namespace {

// What is beyond the data of training is said before it is judged.
void warn_of_other_domain(const reconstruct::FieldModel& model, const field::Dataset& dataset,
                          const std::vector<Index>& cases) {
  double outside = 0;
  std::set<Index> meshes;
  for (auto index : cases)
    if (meshes.insert(dataset.mesh_of(index)).second)
      outside = std::max(outside, reconstruct::share_outside(*dataset.mesh(dataset.mesh_of(index)), model.domain()));
  if (outside > 0)
    fmt::print(stderr,
               "warning: {}: {:.1f} % of the points lie outside the domain the model was trained on; it only guesses "
               "there\n",
               dataset.name(), 100 * outside);
}

// The same of readings.
void warn_of_other_readings(const reconstruct::FieldModel& model, const field::Dataset& dataset,
                            const std::vector<Index>& cases) {
  const auto& known = model.record().readings;
  if (!known) return;
  const reconstruct::ReadingCheck check(*known, model.schema(), model.sensors(), true);
  const field::SensorPlacement sensors(model.sensors(), dataset);
  Index odd = 0;
  std::string first;
  const field::SeenData seen(dataset, model.schema());
  for (auto index : cases) {
    const auto text = check.about(sensors.read(seen->load(index), index).values);
    if (!text.empty() && odd++ == 0) first = fmt::format("case {}: {}", index, text);
  }
  if (odd > 0)
    fmt::print(stderr, "warning: {}: in {} of {} cases the readings are unlike those of training ({})\n",
               dataset.name(), odd, cases.size(), first);
}

void ask_for_intervals(const EvaluationSource& source, const field::DatasetFile& dataset,
                       reconstruct::EvaluationRequest& request) {
  request.calibration = uncertainty::read_calibration(model::ModelFile::open(source.model));
  if (!request.calibration || request.calibration->functionals.empty())
    fail(
        "{}: no numbers are calibrated, so there are no intervals; \"fluidsplat calibrate\" with --forces, --probe or "
        "--box adds them",
        source.model.string());
  if (!source.sensors.empty() || source.count > 0)
    fail("--level: the model was calibrated with its own sensors; with others nothing can be promised");
  request.level = source.level;
  // A model file without its run knows the calibrated data by name.
  request.is_calibrated_data =
      source.own_data || std::filesystem::path(dataset.name()).filename() == request.calibration->data;
}

// Sensors that find no place in the data: what is wrong is the user's file, or that these are other data.
void check_places(const field::SensorLayout& sensors, const EvaluationSource& source, const field::Dataset& dataset) {
  try {
    field::SensorPlacement(sensors, dataset);
  } catch (const Error& e) {
    fail("{}: {}", source.sensors.empty() ? dataset.name() : source.sensors.string(), e.what());
  }
}

}  // namespace

std::optional<field::ErrorSummary> run_evaluation(const EvaluationSource& source, const field::DatasetFile& dataset) {
  const auto model = learn::open_field_model(source.model, source.threads > 0 ? source.threads : available_threads());
  reconstruct::EvaluationRequest request;
  request.cases = chosen_cases(source, dataset);
  if (request.cases.empty()) fail("{}: no cases to evaluate on; choose others with --cases", dataset.name());
  reconstruct::check_schema(model->schema(), dataset.schema(), dataset.name());
  warn_of_other_domain(*model, dataset, request.cases);
  request.sensors = chosen_sensors(source, *model, dataset);
  check_places(request.sensors, source, dataset);
  if (source.sensors.empty() && source.count == 0) warn_of_other_readings(*model, dataset, request.cases);
  request.disturbance = source.disturbance;
  request.forces = source.forces;
  if (source.level > 0) ask_for_intervals(source, dataset, request);
  if (source.split) request.mean_of = source.split->train;
  request.out = source.out;
  request.provenance = provenance_of(source, dataset);
  request.shard = source.shard;
  std::vector<field::CaseResult> results;
  std::string intervals;
  {
    Progress progress("evaluating", std::ssize(request.shard.part_of(request.cases)));
    Index done = 0;
    const auto on_case = [&](const auto& r) {
      progress.update(++done, "relative L2 " + field::error_text(r.error.relative_l2));
      return !interrupted();
    };
    results = reconstruct::evaluate_model(*model, dataset, request, on_case, &intervals);
  }
  if (results.empty() && !source.shard.is_whole() && !interrupted())
    fmt::print("part {} of {} is done; cases.csv and metrics.json come with the last\n", source.shard.index,
               source.shard.count);
  if (results.empty()) return {};
  fmt::print("{}{}", reconstruct::describe_evaluation(results, dataset.schema()), intervals);
  return field::summarize(results);
}

}  // namespace fluidsplat::app

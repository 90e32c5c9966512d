// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

#include "apps/command_line.h"
#include "apps/commands.h"
#include "apps/file_kind.h"
#include "apps/force_options.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/processor.h"
#include "base/progress.h"
#include "base/threads.h"
#include "calibrate/calibrate_model.h"
#include "calibrate/trust_sheet.h"
#include "field/content_hash.h"
#include "field/dataset_file.h"
#include "field/seen_data.h"
#include "learn/config/setup.h"
#include "learn/model/open_model.h"
#include "uncertainty/band.h"
#include "uncertainty/calibration_text.h"

namespace fluidsplat::app {
namespace {

struct CalibrateOptions {
  std::string model, data, split, scale = "auto", scale_from = "validation", shard = "1/1";
  std::vector<std::string> forces, probes, boxes;
  std::filesystem::path table, sheet;
  std::string title;
  bool dry_run = false;
  int threads = 0;
  Index every = 1;
  calibrate::CalibrationRequest request;
};

std::optional<calibrate::ScaleRecipe> recipe_for(const CalibrateOptions& o) {
  if (o.scale == "auto") return {};
  return calibrate::ScaleRecipe{.by_place = o.scale != "constant" && o.scale != "laplace",
                                .by_distance = o.scale == "distance",
                                .from = o.scale_from == "validation" ? calibrate::LessonSource::validation
                                        : o.scale_from == "train"    ? calibrate::LessonSource::training
                                                                     : calibrate::LessonSource::both,
                                .by_layer = o.scale.starts_with("laplace")};
}

void print_table(const calibrate::CalibrationResult& result) {
  fmt::print("over random halves of the unseen cases, calibrated on one and judged on the other:\n");
  fmt::print("  silent  promise     level  pointwise (spread)  whole field  width");
  for (const auto& f : result.calibration.functionals) fmt::print("  {}", f.name);
  fmt::print("\n");
  for (const auto& r : result.table) {
    if (r.splits == 0) continue;
    fmt::print("  {:>6}  {:<10}  {:>5g}  {:>9.4f} ({:.4f})  {:>11.4f}  {:>5.3g}", r.silent,
               calibrate::name_of(r.promise), r.level, r.pointwise, r.pointwise_spread, r.simultaneous, r.width);
    for (std::size_t f = 0; f < r.functionals.size(); ++f)
      fmt::print("  {:>{}.4f}", r.functionals[f],
                 std::max<std::size_t>(4, result.calibration.functionals[f].name.size()));
    fmt::print("\n");
  }
}

// Coverage over splits with all that says what made it: Markdown, and a CSV beside it.
void write_sheet(const CalibrateOptions& o, const std::filesystem::path& model, const field::DatasetFile& dataset,
                 const field::Split& split, const calibrate::CalibrationResult& result) {
  field::Provenance p;
  p.data = std::filesystem::path(dataset.name()).filename().string();
  p.data_hash = field::hash_file(dataset.name());
  p.split_hash = field::split_hash(split);
  p.seed = o.request.seed;
  p.model = o.model;
  p.model_hash = field::hash_file(model);
  p.version = FLUIDSPLAT_VERSION;
  p.command = command_line();
  p.date = field::utc_now();
  const calibrate::TrustSheet sheet{o.title.empty() ? "Bands: " + dataset.title() : o.title,
                                    p,
                                    processor(),
                                    std::ssize(o.request.cases),
                                    o.request,
                                    result};
  write_file(o.sheet, calibrate::trust_markdown(sheet));
  auto table = o.sheet;
  write_file(table.replace_extension(".csv"), calibrate::trust_csv(sheet));
  fmt::print("{}, {}: coverage and widths over {} splits\n", o.sheet.string(), table.string(), o.request.splits);
}

// Every so many of the list, beginning with the first.
std::vector<Index> every(Index step, const std::vector<Index>& list) {
  std::vector<Index> out;
  for (Index i = 0; i < std::ssize(list); i += step) out.push_back(list[i]);
  return out;
}

// What parts of one calibration have in common.
std::string identity(const CalibrateOptions& o, const std::filesystem::path& model,
                     const std::filesystem::path& split) {
  const auto& r = o.request;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} | {} | {} | {}", field::hash_file(model),
                     field::hash_file(o.data), field::hash_file(split), o.scale, o.scale_from, o.every, r.levels,
                     r.share, r.noise, r.block, r.splits, r.split_share, !o.sheet.empty(), r.points, r.seed,
                     FLUIDSPLAT_VERSION, fmt::join(o.forces, " "), fmt::join(o.probes, " "), fmt::join(o.boxes, " "));
}

void calibrate_command(CalibrateOptions& o) {
  const auto file = model_file(o.model);
  learn::check_dataset_exists(o.data);
  expect_kind(o.data, FileKind::dataset);
  const field::DatasetFile dataset(o.data);
  const auto split_file = o.split.empty() ? file.parent_path() / "split.json" : std::filesystem::path(o.split);
  if (!std::filesystem::exists(split_file))
    fail("{}: no such file; it says which cases trained, so that others can be calibrated on: name it with --split",
         split_file.string());
  const auto split = field::read_split(split_file, dataset);
  choose_cases(o.request, split);
  o.request.cases = every(o.every, o.request.cases);
  const auto model = learn::open_field_model(file, o.threads > 0 ? o.threads : available_threads());
  reconstruct::check_schema(model->schema(), dataset.schema(), dataset.name());
  auto& request = o.request;
  if (request.cases.empty())
    fail("{}: every case trained the model or chose its checkpoint; calibration needs others", split_file.string());
  request.scale = recipe_for(o);
  request.with_rivals = !o.sheet.empty();
  if (!o.sheet.empty() && request.splits == 0) request.splits = 100;
  request.data = std::filesystem::path(o.data).filename().string();
  if (const auto forces = read_forces(o.forces, dataset.schema()))
    request.functionals = reconstruct::force_functionals(*forces);
  for (const auto& text : o.probes) request.functionals.push_back(reconstruct::parse_probe(text, model->schema()));
  for (const auto& text : o.boxes) request.functionals.push_back(reconstruct::parse_box(text, model->schema()));

  if (const auto shard = parse_shard(o.shard); !shard.is_whole())
    request.parts =
        calibrate::ErrorParts{shard, std::filesystem::absolute(file).parent_path(), identity(o, file, split_file)};
  std::optional<Progress> progress;
  std::string doing;
  calibrate::CalibrationHooks hooks;
  hooks.interrupted = interrupted;
  hooks.progress = [&](const char* what, Index done, Index total) {
    if (what != doing) progress.reset(), progress.emplace(doing = what, total);
    progress->update(done);
  };
  const auto result = calibrate::calibrate_model(*model, *field::SeenData(dataset, model->schema()), request, hooks);
  progress.reset();
  if (!result && request.parts && !interrupted())
    fmt::print("part {} of {} is done; the calibration comes with the last\n", request.parts->shard.index,
               request.parts->shard.count);
  if (!result) return;
  const auto& c = result->calibration;
  fmt::print(
      "calibrated on {}{}\n", c.chosen,
      c.block > 1 ? fmt::format(", in {} blocks of {} frames in a row, each counted once", c.groups(), c.block) : "");
  fmt::print("levels up to {:.1f} % can be asked for, with up to {} of {} sensors silent\n",
             std::floor(1000 * c.highest_level()) / 10, c.rungs.back().silent, c.sensors);
  fmt::print("local scale: {}\n", calibrate::name_of(result->scale));
  if (c.highest_level() >= 0.9) fmt::print("{}\n", uncertainty::guarantee(c, {}));
  if (c.rungs.front().knows_sensors())
    fmt::print("sensors: {}\n", uncertainty::describe_false_alarms(c, uncertainty::kFalseAlarms));
  if (!result->table.empty()) print_table(*result);
  if (!o.table.empty()) write_file(o.table, calibrate::coverage_csv(result->table, c.functionals));
  if (!o.sheet.empty()) write_sheet(o, file, dataset, split, *result);
  if (o.dry_run) return;
  calibrate::store_calibration(file, c);
  fmt::print("{}: calibrated\n", file.string());
}

}  // namespace

void add_calibrate(CLI::App& app) {
  auto o = std::make_shared<CalibrateOptions>();
  auto* command = app.add_subcommand(
      "calibrate", "measure how wrong a model is on cases it has not seen, and keep that in the model file for bands");
  command->add_option("model", o->model, "a model file or a run folder")->required();
  command->add_option("--data", o->data, "the dataset")->required();
  command->add_option("--split", o->split, "the split file (default: split.json beside the model)");
  command
      ->add_option("--share", o->request.share,
                   "of the test cases that did not choose the checkpoint either; the rest is left to judge by (0.5)")
      ->check(CLI::Range(0.01, 1.0));
  command
      ->add_option("--every", o->every,
                   "of these cases take every so many, for frames that are dense or to save time (1)")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--scale", o->scale,
                   "the bands' local width: constant, place (by place), distance (by place and by how far readings "
                   "are from those of training), laplace (by how unusual the network's last hidden layer is), "
                   "laplace-place (both), or auto: the narrowest of these for validation cases")
      ->check(CLI::IsMember({"auto", "constant", "place", "distance", "laplace", "laplace-place"}));
  command
      ->add_option("--scale-from", o->scale_from,
                   "cases that say where the model errs: validation, train or both; auto finds out")
      ->check(CLI::IsMember({"validation", "train", "both"}));
  command
      ->add_option(
          "--levels", o->request.levels,
          "near the wall, in the wake and far from both bands have thresholds of their own, in so many classes "
          "each by how much the model errs (3); 0: one threshold for all places")
      ->check(CLI::Range(0, 20));
  command
      ->add_option("--noise", o->request.noise,
                   "noise that readings will have, as a share of how much they vary in training (0.05)")
      ->check(CLI::Range(0.0, 100.0));
  command
      ->add_option("--block", o->request.block,
                   "frames of a time series that count once (default: a period or twice the memory of the errors)")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--forces", o->forces, std::string(kForcesHelp) + "; they get intervals");
  command->add_option("--probe", o->probes, "name=channel@x,y[,z]: the value there gets an interval");
  command->add_option("--box", o->boxes, "name=channel@x,y[,z]:x,y[,z]: the mean over the box gets one");
  command->add_option("--splits", o->request.splits, "measure coverage over so many random halves of the unseen cases")
      ->check(CLI::Range(0, 100000));
  command->add_option("--split-share", o->request.split_share, "of the cases or blocks, which each calibrates on (0.5)")
      ->check(CLI::Range(0.01, 0.99));
  command->add_option("--table", o->table, "CSV for that coverage");
  command->add_option(
      "--sheet", o->sheet,
      "Markdown (and a CSV of the same name) for that coverage, by region, beside a band of one width and "
      "a Gaussian process; 100 splits unless --splits says otherwise");
  command->add_option("--title", o->title, "of the sheet");
  command->add_option("--seed", o->request.seed, "of noise, silent sensors and which cases are left");
  command->add_option("--shard", o->shard,
                      "one of several processes that share the cases, such as 1/2; all see the model's folder, and the "
                      "one that is done last writes the calibration");
  command->add_flag("--dry-run", o->dry_run, "leave the model file as it is");
  command->add_option("--threads", o->threads, "0 = OMP_NUM_THREADS or all processors")->check(CLI::Range(0, 1024));
  command->callback([o] { calibrate_command(*o); });
}

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/error_text.h"
#include "field/seen_data.h"
#include "field/sensor_placement.h"
#include "field/split.h"
#include "io/csv.h"
#include "reconstruct/best_classical.h"
#include "report/model_inspection.h"
#include "report/reconstruction_report.h"

namespace fluidsplat::report {
namespace {

constexpr Index kShownPrimitives = 48;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

// The table that `eval` writes, one row per case.  Some of its columns hold text.
class CaseTable {
 public:
  explicit CaseTable(const std::filesystem::path& file) : file_(file.string()) {
    try {
      table_ = io::read_text_csv(file);
    } catch (const Error& e) {
      fail("{}; {}", e.what(), kRemedy);
    }
    if (table_.rows.empty()) fail("{}: has no cases; {}", file_, kRemedy);
  }

  bool has(const std::string& name) const {
    return std::find(table_.header.begin(), table_.header.end(), name) != table_.header.end();
  }

  std::vector<double> column(const std::string& name) const {
    const auto found = std::find(table_.header.begin(), table_.header.end(), name);
    if (found == table_.header.end()) fail("{}: has no column \"{}\"; {}", file_, name, kRemedy);
    std::vector<double> out;
    for (const auto& row : table_.rows) {
      const std::string& cell = row[found - table_.header.begin()];
      double value = 0;
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        fail("{}: row {}, column \"{}\": \"{}\" is not a finite number; {}", file_, out.size() + 1, name, cell,
             kRemedy);
      out.push_back(value);
    }
    return out;
  }

  // The column `case`: which cases of a dataset of `size` the rows speak of.
  std::vector<Index> cases(Index size) const {
    std::vector<Index> out;
    for (double value : column("case")) {
      if (value != std::floor(value) || value < 0 || value >= double(size))
        fail("{}: row {}, column \"case\": the dataset has cases 0 to {}, not {:g}; {}", file_, out.size() + 1,
             size - 1, value, kRemedy);
      out.push_back(Index(value));
    }
    return out;
  }

 private:
  static constexpr const char* kRemedy = "run \"fluidsplat eval\" again";
  std::string file_;
  io::TextTable table_;
};

// What `eval` found, read and checked.
struct Judged {
  std::vector<Index> index;
  std::vector<double> error, time, consistency;
  std::vector<Index> by_error;  // rows, the best first

  Index rows() const { return std::ssize(index); }
  Index median() const { return by_error[by_error.size() / 2]; }
  Index worst() const { return by_error.back(); }
};

Judged read_judged(const CaseTable& table, Index dataset_size) {
  Judged judged{table.cases(dataset_size),
                table.column("relative_l2"),
                table.column("time"),
                table.column("sensor_consistency"),
                {}};
  judged.by_error.resize(judged.index.size());
  std::iota(judged.by_error.begin(), judged.by_error.end(), 0);
  std::sort(judged.by_error.begin(), judged.by_error.end(),
            [&](Index a, Index b) { return judged.error[a] < judged.error[b]; });
  return judged;
}

// What a run left behind, and what it is about.
struct Run {
  Run(reconstruct::FieldModel& m, const field::DatasetFile& d, const std::filesystem::path& folder)
      : model(m),
        title(d.title()),
        seen(d, m.schema()),
        dataset(*seen),
        sensors(m.sensors(), d),
        split(field::read_split(folder / "split.json", d)),
        log(io::read_csv(folder / "log.csv")),
        table(folder / "cases.csv"),
        judged(read_judged(table, d.size())),
        config(read_file(folder / "config.toml")),
        classical(reconstruct::read_best_classical(folder)) {
    if (log.rows() == 0) fail("{}: has no steps; run \"fluidsplat train\" again", log.source);
  }
  reconstruct::FieldModel& model;
  std::string title;  // of the data
  field::SeenData seen;
  const field::Dataset& dataset;
  field::SensorPlacement sensors;
  field::Split split;
  io::Table log;
  CaseTable table;
  Judged judged;
  std::string config;
  std::optional<reconstruct::BestClassical> classical;
};

// A case as the model sees it, in the units of the data.  A model without a scaffold or without primitives leaves those
// empty.
ShownCase show(Run& run, Index index, const std::string& caption) {
  const auto given = run.seen.data().load(index);
  const field::CaseUnits units(run.model.schema(), run.seen.data().schema(), given, "case \"" + given.name + "\"");
  const auto c = run.dataset.load(index);
  const auto readings = run.sensors.read(c, index);
  auto seen = run.model.reconstruct(readings, reconstruct::descriptors_for(c.descriptors, run.model.schema()), c.mesh,
                                    {.scaffold = true});
  units.into_data(seen.field);
  if (seen.scaffold.size() > 0) units.into_data(seen.scaffold);
  ShownCase out;
  out.caption = caption;
  out.name = c.name;
  out.index = index;
  out.time = c.time;
  out.mesh = c.mesh;
  out.error = field::compare(seen.field, given.fields);
  out.truth = given.fields;
  out.prediction = std::move(seen.field);
  out.scaffold = std::move(seen.scaffold);
  if (run.model.base())
    out.scaffold_is_added_to = run.model.prior().pod ? "the mean field and the prior" : "the mean field";
  out.sensors = readings.positions;
  if (run.dataset.schema().dim() == 2)
    out.primitives = ellipses_of(
        run.model.primitives(readings, reconstruct::descriptors_for(c.descriptors, run.model.schema()), c.mesh),
        kShownPrimitives);
  return out;
}

// Median, worst and best, as far as they differ.
std::vector<ShownCase> shown_cases(Run& run) {
  const auto& judged = run.judged;
  std::vector<std::pair<Index, const char*>> chosen = {{judged.median(), "Median"}};
  if (judged.worst() != judged.median()) chosen.emplace_back(judged.worst(), "Worst");
  if (judged.rows() > 1) chosen.emplace_back(judged.by_error.front(), "Best");
  std::vector<ShownCase> out;
  for (const auto& [row, caption] : chosen) out.push_back(show(run, judged.index[row], caption));
  return out;
}

// The same for every case; none for a model of another kind.
Index primitive_count(Run& run) {
  const Index any = run.judged.index.front();
  const auto c = run.dataset.load(any);
  return std::ssize(run.model.primitives(run.sensors.read(c, any),
                                         reconstruct::descriptors_for(c.descriptors, run.model.schema()), c.mesh));
}

std::string introduction(const Run& run) {
  return fmt::format(
      "{}. A model of kind {} with {} parameters was trained on {} of {} cases and reconstructs {} that it has not seen "
      "from {} sensors alone.",
      run.title, run.model.spec().kind(), run.model.parameters(), run.split.train.size(), run.dataset.size(),
      run.judged.rows(), run.model.sensors().size());
}

std::vector<std::vector<std::string>> numbers(Run& run) {
  std::vector<std::vector<std::string>> rows = {{"quantity", "value"}};
  const auto add = [&](const std::string& quantity, const std::string& value) { rows.push_back({quantity, value}); };
  const auto& judged = run.judged;
  add("relative L2 error, mean over unseen cases", field::error_text(mean(judged.error)));
  if (const auto& channels = run.dataset.schema().channels; channels.size() > 1)
    for (const auto& channel : channels)
      add(fmt::format("of {} alone", channel.name), field::error_text(mean(run.table.column("l2_" + channel.name))));
  if (run.table.has("deviation_l2"))
    add("relative to the deviation from the mean field", field::error_text(mean(run.table.column("deviation_l2"))));
  add("median", field::error_text(judged.error[judged.median()]));
  add("worst",
      fmt::format("{} (case {})", field::error_text(judged.error[judged.worst()]), judged.index[judged.worst()]));
  if (run.classical)
    add(fmt::format("the best method without training ({})", run.classical->method),
        fmt::format("{} (worst {})", field::error_text(run.classical->errors.mean),
                    field::error_text(run.classical->errors.worst)));
  add("sensor consistency, mean", field::error_text(mean(judged.consistency)));
  add("unseen cases", fmt::format("{}", judged.rows()));
  add("sensors", fmt::format("{}", run.model.sensors().size()));
  if (const Index count = primitive_count(run); count > 0) add("primitives", fmt::format("{}", count));
  add("parameters", fmt::format("{}", run.model.parameters()));
  add("training steps", fmt::format("{:.0f}", run.log.column("step").back()));
  add("training time", fmt::format("{:.0f} s", run.log.column("seconds").back()));
  return rows;
}

ReconstructionReport::Force force_over_time(const Run& run, const std::string& name) {
  const auto truth = run.table.column(name + "_true"), predicted = run.table.column(name);
  std::vector<Index> order(run.judged.rows());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return run.judged.time[a] < run.judged.time[b]; });
  ReconstructionReport::Force out;
  out.name = name;
  for (auto row : order) {
    out.time.push_back(run.judged.time[row]);
    out.truth.push_back(truth[row]);
    out.predicted.push_back(predicted[row]);
  }
  return out;
}

// On the judged cases that did not calibrate.
TrustPart trust_of(Run& run, const std::shared_ptr<const uncertainty::Calibration>& calibration) {
  std::vector<Index> left;
  for (Index index : run.judged.index)
    if (!std::ranges::binary_search(calibration->cases, index)) left.push_back(index);
  // The case that is looked at closely is the median of those left, too.
  std::vector<Index> by_error;
  for (Index row : run.judged.by_error)
    if (!std::ranges::binary_search(calibration->cases, run.judged.index[row]))
      by_error.push_back(run.judged.index[row]);
  const Index shown = by_error.empty() ? run.judged.index[run.judged.median()] : by_error[by_error.size() / 2];
  return judge_trust(run.model, run.seen, calibration, run.sensors, left, shown);
}

}  // namespace

std::filesystem::path write_run_page(reconstruct::FieldModel& model, const field::DatasetFile& dataset,
                                     const RunPage& page) {
  reconstruct::check_schema(model.schema(), dataset.schema(), dataset.name());
  Run run(model, dataset, page.run);
  ReconstructionReport r;
  r.title = page.title;
  r.introduction = {introduction(run)};
  r.numbers = numbers(run);
  r.schema = run.seen.data().schema();
  r.cases = shown_cases(run);
  std::vector<std::pair<double, double>> over_time;
  for (Index i = 0; i < run.judged.rows(); ++i) over_time.emplace_back(run.judged.time[i], run.judged.error[i]);
  std::sort(over_time.begin(), over_time.end());
  for (const auto& [time, error] : over_time) {
    r.test_time.push_back(time);
    r.test_error.push_back(error);
  }
  for (const char* name : {"drag", "lift", "moment"})
    if (run.table.has(std::string(name) + "_true")) r.forces.push_back(force_over_time(run, name));
  if (page.calibration) r.trust = trust_of(run, page.calibration);
  r.loss_step = run.log.column("step");
  r.loss = run.log.column("loss");
  r.validation = run.log.column("validation");
  r.config = run.config;

  const auto file = page.out / "index.html";
  write_file(file, to_html(r));
  return file;
}

}  // namespace fluidsplat::report

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/write_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/primitive_ellipses.h"
#include "apps/run_evaluation.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/threads.h"
#include "field/dataset_file.h"
#include "field/sensor_plan.h"
#include "field/split.h"
#include "io/csv.h"
#include "reconstruct/field_model.h"
#include "report/reconstruction_report.h"

namespace fluidsplat::app {
namespace {

constexpr std::size_t kShownPrimitives = 48;

// A column of numbers of a table whose other columns may hold text.
std::vector<double> numbers(const io::TextTable& table, const std::string& name, const std::string& source) {
  const auto it = std::find(table.header.begin(), table.header.end(), name);
  if (it == table.header.end()) fail("{}: has no column \"{}\"; run \"fluidsplat eval\" again", source, name);
  std::vector<double> out;
  for (const auto& row : table.rows) out.push_back(std::stod(row.at(it - table.header.begin())));
  return out;
}

report::ShownCase show(reconstruct::FieldModel& model, const field::SensorPlan& sensors, const field::Dataset& dataset,
                       Index index, const std::string& caption) {
  const auto c = dataset.load(index);
  const auto readings = sensors.read(c, dataset.mesh_of(index));
  auto said = model.reconstruct(readings, c.descriptors, c.mesh, {.scaffold = true});
  report::ShownCase out;
  out.caption = caption;
  out.name = c.name;
  out.index = index;
  out.time = c.time;
  out.mesh = c.mesh;
  out.error = field::compare(said.field, c.fields);
  out.truth = c.fields;
  out.prediction = std::move(said.field);
  out.scaffold = std::move(said.scaffold);
  out.sensors = readings.positions;
  if (dataset.schema().dim() == 2) {
    auto primitives = model.primitives(readings, c.descriptors, c.mesh);
    reconstruct::sort_by_importance(primitives);
    out.primitives = ellipses_of(primitives, kShownPrimitives);
  }
  return out;
}

}  // namespace

void write_report(const ReportSource& source) {
  const field::DatasetFile dataset(source.data);
  reconstruct::FieldModel model(model_file(source.run), available_threads());
  reconstruct::check_schema(model.schema(), dataset.schema(), dataset.name());
  const field::SensorPlan sensors(model.sensors(), dataset);
  const auto split = field::read_split(source.run / "split.json", dataset.size());
  const auto log = io::read_csv(source.run / "log.csv");
  const auto cases_file = source.run / "cases.csv";
  const auto cases = io::read_text_csv(cases_file);
  const auto column = [&](const char* name) { return numbers(cases, name, cases_file.string()); };
  const auto index = column("case"), error = column("relative_l2"), time = column("time"),
             consistency = column("sensor_consistency");
  if (index.empty()) fail("{}: has no cases; run \"fluidsplat eval\" again", cases_file.string());
  std::vector<std::size_t> by_error(index.size());
  std::iota(by_error.begin(), by_error.end(), 0);
  std::sort(by_error.begin(), by_error.end(), [&](auto a, auto b) { return error[a] < error[b]; });

  report::ReconstructionReport r;
  r.title = source.title;
  r.schema = dataset.schema();
  r.config = read_file(source.run / "config.toml");
  const auto case_at = [&](std::size_t rank) { return static_cast<Index>(index[by_error[rank]]); };
  const std::size_t last = by_error.size() - 1;
  std::vector<std::pair<std::size_t, const char*>> ranks = {{by_error.size() / 2, "Median"}};
  if (last > 0 && last != by_error.size() / 2) ranks.emplace_back(last, "Worst");
  if (last > 0) ranks.emplace_back(0, "Best");
  for (const auto& [rank, caption] : ranks) r.cases.push_back(show(model, sensors, dataset, case_at(rank), caption));

  const double mean = std::accumulate(error.begin(), error.end(), 0.0) / double(error.size());
  r.introduction = {
      fmt::format("{}. A FluidSplat model of {} parameters was trained on {} of {} cases and reconstructs {} that it "
                  "has not seen from {} sensors alone.",
                  dataset.title(), model.runtime().parameters(), split.train.size(), dataset.size(), index.size(),
                  model.sensors().size())};
  r.numbers = {
      {"quantity", "value"},
      {"relative L2 error, mean over unseen cases", fmt::format("{:.4f}", mean)},
      {"median", fmt::format("{:.4f}", error[by_error[by_error.size() / 2]])},
      {"worst", fmt::format("{:.4f} (case {})", error[by_error.back()], case_at(by_error.size() - 1))},
      {"sensor consistency, mean",
       fmt::format("{:.4f}", std::accumulate(consistency.begin(), consistency.end(), 0.0) / double(error.size()))},
      {"unseen cases", fmt::format("{}", index.size())},
      {"sensors", fmt::format("{}", model.sensors().size())},
      {"primitives", fmt::format("{}", model.runtime().description().shape.primitives)},
      {"parameters", fmt::format("{}", model.runtime().parameters())},
      {"training steps", fmt::format("{:.0f}", log.column("step").back())},
      {"training time", fmt::format("{:.0f} s", log.column("seconds").back())}};

  if (const auto& channels = dataset.schema().channels; channels.size() > 1)
    for (std::size_t c = channels.size(); c-- > 0;) {
      const auto l2 = column(("l2_" + channels[c].name).c_str());
      const double of_channel = std::accumulate(l2.begin(), l2.end(), 0.0) / double(l2.size());
      r.numbers.insert(r.numbers.begin() + 2,
                       {fmt::format("of {} alone", channels[c].name), fmt::format("{:.4f}", of_channel)});
    }

  std::vector<std::pair<double, double>> over_time;
  for (std::size_t i = 0; i < index.size(); ++i) over_time.emplace_back(time[i], error[i]);
  std::sort(over_time.begin(), over_time.end());
  for (const auto& [t, e] : over_time) {
    r.test_time.push_back(t);
    r.test_error.push_back(e);
  }
  r.loss_step = log.column("step");
  r.loss = log.column("loss");
  r.validation = log.column("validation");
  write_file(source.out / "index.html", report::to_html(r));
}

}  // namespace fluidsplat::app

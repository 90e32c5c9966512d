// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/figures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "baselines/classical_methods.h"
#include "draw/surface_discs.h"
#include "draw/volume_view.h"
#include "field/error_text.h"
#include "field/metrics.h"
#include "field/sensor_count.h"
#include "field/sensor_placement.h"
#include "learn/config/setup.h"
#include "learn/model/open_model.h"
#include "learn/model/torch_field_model.h"
#include "reconstruct/answer.h"
#include "report/model_inspection.h"
#include "reproduce/claims.h"
#include "reproduce/judge.h"
#include "reproduce/methods.h"
#include "reproduce/sheet_text.h"

namespace fluidsplat::reproduce {
namespace {

namespace fs = std::filesystem;

constexpr int kWide = 480;
constexpr Index kShownPrimitives = 48;

// What a benchmark is shown by.
struct View {
  const char* table;
  std::size_t column;
  Index channel;
};
constexpr View kViews[] = {{"cylinder", 2, 0}, {"airfrans", 0, 2}, {"ldc3d", 1, 0}, {"car", 2, 0}};

// One case of a benchmark, and the colours it is shown in.
class Stage {
 public:
  Stage(const Run& run, Index sensors, Index channel, const BenchmarkData& data, Index cases)
      : seen_(*data.dataset, learn::how_seen(run.config.data)),
        dataset_(*data.dataset),
        split_(learn::make_split(run.config.data, *data.dataset)),
        layout_(learn::make_sensors(run.config.sensors, *data.dataset)),
        channel_(channel),
        sensors_(sensors) {
    const auto judged = spread(split_.test, cases);
    index_ = judged[judged.size() / 2];
    case_ = dataset_.load(index_);
    readings_ = read(layout_);
    scale_ = draw::scale_for(case_.fields.col(channel_));
  }

  // As models see it.
  const field::Dataset& seen() const { return *seen_; }
  const field::Split& split() const { return split_; }
  const field::SensorLayout& layout() const { return layout_; }
  const std::string& channel_name() const { return dataset_.schema().channels[channel_].name; }
  Index index() const { return index_; }
  field::Vector truth() const { return case_.fields.col(channel_); }

  // What a model says; its error over all channels goes to `error`.
  field::Vector answer(reconstruct::FieldModel& model, double& error) const {
    const auto seen = reconstruct::answer(model, read(model.sensors()), {}, case_, dataset_.schema(), case_.mesh);
    error = field::compare(seen, case_.fields).relative_l2;
    return seen.col(channel_);
  }
  std::vector<draw::Ellipse> primitives(reconstruct::FieldModel& model) const {
    auto readings = read(model.sensors());
    field::CaseUnits(model.schema(), dataset_.schema(), case_, case_.name).into_model(readings.values);
    return report::ellipses_of(
        model.primitives(readings, reconstruct::descriptors_for(case_.descriptors, model.schema()), case_.mesh),
        kShownPrimitives);
  }

  void draw(const field::Vector& values, const fs::path& file, std::vector<draw::Ellipse> ellipses = {}) const {
    write(values, scale_, file, std::move(ellipses));
  }
  // The same colours for all methods: white to a tenth of the field's range.
  void draw_error(const field::Vector& values, const fs::path& file) const {
    write((values - truth()).cwiseAbs(), {draw::ColorMap::sequential, 0, 0.1 * (scale_.high - scale_.low)}, file, {});
  }

 private:
  // A model is asked by its own layout, which knows the means of its sensors.
  field::SensorReadings read(const field::SensorLayout& layout) const {
    const auto shown = sensors_ == 0 ? layout : field::with_count(layout, sensors_, *dataset_.mesh(0));
    return field::SensorPlacement(shown, dataset_).read(case_, index_);
  }

  void write(const field::Vector& values, const draw::ColorScale& scale, const fs::path& file,
             std::vector<draw::Ellipse> ellipses) const {
    if (draw::is_surface(*case_.mesh)) {
      io::write_png(file, draw::draw_volume(*case_.mesh, values, scale, {.sensors = readings_.positions}));
      return;
    }
    draw::PictureOptions options;
    options.pixels_wide = kWide;
    options.sensors = readings_.positions;
    options.ellipses = std::move(ellipses);
    io::write_png(file, draw::draw_field(draw::Plane(*case_.mesh), values, scale, options));
  }

  field::SeenData seen_;
  const field::Dataset& dataset_;
  field::Split split_;
  field::SensorLayout layout_;
  Index channel_, sensors_, index_ = 0;
  field::Case case_;
  field::SensorReadings readings_;
  draw::ColorScale scale_;
};

// The sheet of what was asked for; null when there is none.
const Sheet* asked_sheet(const std::vector<Sheet>& sheets, const CampaignRequest& request, const std::string& hash) {
  for (const auto& s : sheets)
    if (s.terms.data_hash == hash && s.terms.minutes == request.plan.minutes && s.terms.cases == request.cases &&
        s.terms.threads == request.plan.threads)
      return &s;
  return nullptr;
}

// The rows that are shown, as far as they are there.
std::vector<Index> shown_rows(const Sheet& s, std::size_t column) {
  std::vector<Index> out;
  for (const auto counts : {is_paper_form, is_our_recipe, is_other_network, is_classical_method})
    if (const auto row = best_row(s, column, counts); row >= 0) out.push_back(row);
  return out;
}

std::unique_ptr<reconstruct::FieldModel> open(const Run& run, const Stage& stage, const fs::path& model_file,
                                              Index threads) {
  if (!run.is_classical) return fs::exists(model_file) ? learn::open_field_model(model_file, int(threads)) : nullptr;
  baselines::ClassicalFits fits(stage.seen(), stage.split(), stage.layout());
  auto fit = fits.make({run.subject.method, classical_settings(run.subject.method)});
  return std::make_unique<learn::TorchFieldModel>(std::move(fit.trained));
}

// One section of figures.md.
struct Section {
  std::string heading, text;  // empty: there is nothing to show
};

constexpr std::string_view kErrorPicture = "-error.png)";

Index methods_shown(const std::string& section) {
  Index count = 0;
  for (auto at = section.find(kErrorPicture); at != std::string::npos; at = section.find(kErrorPicture, at + 1))
    ++count;
  return count;
}

// The sections that a file has, by heading.
std::map<std::string, std::string> sections_of(const fs::path& file) {
  std::map<std::string, std::string> out;
  const auto text = fs::exists(file) ? read_file(file) : std::string();
  constexpr std::string_view kMark = "\n## ";
  for (auto at = text.find(kMark); at != std::string::npos;) {
    const auto next = text.find(kMark, at + 1), end = text.find('\n', at + kMark.size());
    if (end == std::string::npos) break;
    out[text.substr(at + kMark.size(), end - at - kMark.size())] =
        text.substr(end, next == std::string::npos ? next : next - end);
    at = next;
  }
  return out;
}

std::string heading_of(const Table& table, const View& view) {
  return fmt::format("{}, {}", table.title, table.columns[view.column]);
}

Section draw_view(const View& view, const Sheet& sheet, const std::vector<Run>& runs, const BenchmarkData& data,
                  const CampaignRequest& request, const RunHooks& hooks) {
  const auto& table = *sheet.table;
  const Executor executor(request.work, request.cases);
  const auto images = request.results / "images";
  std::unique_ptr<Stage> stage;
  Grid grid = {{""}, {"field"}, {"error"}};
  Section out{heading_of(table, view), {}};
  std::string scaffold;
  const auto show = [](const std::string& name) { return fmt::format("![](images/{})", name); };
  for (const Index row : shown_rows(sheet, view.column)) {
    if (hooks.should_stop()) return out;
    const auto& cell = table.rows[row].cells[view.column];
    const auto run = std::ranges::find(runs, cell.subject, &Run::subject);
    if (run == runs.end()) continue;
    if (!stage) {
      fs::create_directories(images);
      stage = std::make_unique<Stage>(*run, cell.sensors, view.channel, data, request.cases);
      const auto name = fmt::format("{}-truth.png", table.name);
      stage->draw(stage->truth(), images / name);
      grid[0].push_back("truth"), grid[1].push_back(show(name)), grid[2].push_back("");
    }
    const auto model = open(*run, *stage, executor.model_file(*run, data.hash), request.plan.threads);
    if (!model) continue;
    hooks.tell(0, fmt::format("drawing {}", table.name));
    double error = 0;
    const auto answer = stage->answer(*model, error);
    const auto name = fmt::format("{}-{}.png", table.name, cell.subject.method);
    const auto name_of_error = fmt::format("{}-{}-error.png", table.name, cell.subject.method);
    stage->draw(answer, images / name);
    stage->draw_error(answer, images / name_of_error);
    grid[0].push_back(fmt::format("{}: {}", table.rows[row].label, field::error_text(error)));
    grid[1].push_back(show(name)), grid[2].push_back(show(name_of_error));
    if (is_paper_form(cell.subject.method) && table.name == "cylinder") {
      const auto file = fmt::format("{}-scaffold.png", table.name);
      stage->draw(stage->truth(), images / file, stage->primitives(*model));
      scaffold = fmt::format(
          "\nThe scaffold of the paper's form on the same frame: its {} weightiest primitives (one-sigma ellipses) over the "
          "true field.\n\n{}\n",
          kShownPrimitives, show(file));
    }
  }
  if (!stage || grid[0].size() < 3) return out;
  out.text = fmt::format(
      "\n\nCase {} of {}, channel {}; sensors in gold; beside each method its error on this case. Errors from white to a "
      "tenth of the field's range.\n\n{}{}",
      stage->index(), data.title, stage->channel_name(), to_markdown(grid), scaffold);
  return out;
}

}  // namespace

Index write_figures(const CampaignRequest& request, const RunHooks& hooks) {
  const auto runs = plan(request.plan);
  const auto finished = Store(request.results).all();
  DataFolder data(request.data, request.sources);
  const auto file = request.results / "figures.md";
  auto sections = sections_of(file);
  Index drawn = 0;
  for (const auto& view : kViews) {
    if (std::ranges::find(request.plan.tables, view.table) == request.plan.tables.end()) continue;
    const auto& table = *std::ranges::find(error_tables(), view.table, &Table::name);
    const auto* benchmark = data.open(table.benchmark, hooks);
    if (!benchmark) return drawn;
    const auto sheets = make_sheets(table, finished);
    const auto* sheet = asked_sheet(sheets, request, benchmark->hash);
    if (!sheet) continue;
    const auto section = draw_view(view, *sheet, runs, *benchmark, request, hooks);
    if (section.text.empty()) continue;
    // One that shows more methods than can be shown now stays.
    auto& known = sections[section.heading];
    if (methods_shown(section.text) >= methods_shown(known)) known = section.text;
    ++drawn;
  }
  std::string text = "# Reconstructions\n\nWritten by `fluidsplat reproduce`: do not edit.\n";
  for (const auto& view : kViews) {
    const auto heading = heading_of(*std::ranges::find(error_tables(), view.table, &Table::name), view);
    if (sections.contains(heading)) text += fmt::format("\n## {}{}", heading, sections[heading]);
  }
  if (drawn > 0) write_file(file, text);
  return drawn;
}

}  // namespace fluidsplat::reproduce

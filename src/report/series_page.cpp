// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/series_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.h"
#include "draw/axes.h"
#include "draw/chart.h"
#include "draw/picture.h"
#include "draw/state_strip.h"
#include "report/html.h"

namespace fluidsplat::report {
namespace {

using uncertainty::SensorState;

// By the number of the state.
const std::vector<draw::StripState>& strip_states() {
  static const std::vector<draw::StripState> states = [] {
    const std::pair<SensorState, const char*> colors[] = {
        {SensorState::fine, "#b7dcc0"},      {SensorState::silent, "#9a9a9a"}, {SensorState::out_of_range, "#6a1b1b"},
        {SensorState::disagrees, "#c44536"}, {SensorState::stuck, "#8a5bb0"},  {SensorState::biased, "#e08e2b"},
        {SensorState::drifting, "#b8860b"},  {SensorState::noisy, "#2ba3b5"},  {SensorState::spiking, "#d46fa0"},
        {SensorState::swapped, "#1f5fa8"},
    };
    std::vector<draw::StripState> out;
    for (const auto& [state, color] : colors) out.push_back({name_of(state), color});
    return out;
  }();
  return states;
}

// Where a sensor disagrees, it is shown in the colour of what all rows together say of it.
std::string health_strip(const reconstruct::SensorReport& sensors, const std::vector<std::string>& names,
                         const std::vector<double>& times) {
  std::vector<draw::StripLine> lines;
  for (std::size_t i = 0; i < sensors.faults.size(); ++i) {
    draw::StripLine line{names[i], {}};
    for (const auto& row : sensors.rows) {
      const auto state = row.sensors[i].state;
      const bool is_off = state == SensorState::disagrees || state == SensorState::swapped;
      line.states.push_back(int(is_off ? sensors.faults[i] : state));
    }
    lines.push_back(std::move(line));
  }
  return draw::state_strip(lines, strip_states(),
                           {.title = "Sensors",
                            .x_label = "time",
                            .first = times.empty() ? 0 : times.front(),
                            .last = times.empty() ? 0 : times.back()});
}

void add_sensors(Page& page, const reconstruct::SeriesReport& series) {
  const auto& sensors = *series.sensor_report;
  page.heading("Are sensors lying?");
  if (series.sensors.empty())
    page.paragraph("All sensors are fine.");
  else
    page.list(series.sensors);
  page.figures({{health_strip(sensors, series.sensor_names, series.times),
                 fmt::format("the state of each sensor in every row; with sound sensors one is wrongly doubted in at "
                             "most {:.1f} % of rows on average",
                             100 * sensors.false_alarms)}});
  if (std::ranges::none_of(sensors.shift, [](double s) { return s > 0; })) {
    page.paragraph(
        "Is this a flow the model knows? The series is shorter than one calibrated block, or more sensors are out than "
        "were calibrated: the running test has nothing to go by and says nothing.");
    return;
  }
  const std::vector<double> ends = {series.times.front(), series.times.back()};
  page.figures(
      {{draw::line_chart(
            {{"statistic", series.times, sensors.shift, true, false},
             {"warning", ends, {sensors.blocks_between_false_alarms, sensors.blocks_between_false_alarms}, true, true}},
            {.title = "Is this a flow the model knows?",
             .x_label = "time",
             .y_label = "evidence against it",
             .log_y = true}),
        fmt::format(
            "a running test of how well the sensors fit each other and how far their readings are from those of "
            "training; above the dashed line it warns, which a flow like those calibrated on does once in {:g} "
            "blocks on average at the most",
            sensors.blocks_between_false_alarms)}});
}

void add_functionals(Page& page, const reconstruct::SeriesReport& series) {
  const auto& table = series.functionals;
  if (table.columns.empty() || table.rows() == 0) return;
  page.heading("Calibrated numbers with their intervals");
  std::vector<Page::Figure> figures;
  for (std::size_t c = 1; c + 2 < table.header.size(); c += 3) {
    const bool line = table.rows() > 1;
    draw::Series said{table.header[c], table.columns[0],     table.columns[c],    line,
                      false,           table.columns[c + 1], table.columns[c + 2]};
    const auto unit = c / 3 < series.functional_units.size() ? series.functional_units[c / 3] : "";
    figures.push_back(
        {draw::line_chart(
             {said}, {.title = table.header[c], .x_label = "time", .y_label = unit.empty() ? "coefficient" : unit}),
         table.header[c] + " with its interval (none where more sensors are silent than were calibrated)"});
  }
  page.figures(figures);
}

void add_last(Page& page, const reconstruct::SeriesReport::Instant& last, const field::Schema& schema) {
  if (!last.mesh || schema.dim() != 2) return;
  page.heading("The last instant");
  const draw::Plane plane(*last.mesh);
  const auto& frame = plane.frame();
  for (Index c = 0; c < std::ssize(schema.channels); ++c) {
    const auto& channel = schema.channels[c];
    draw::PictureOptions options;
    options.sensors = last.sensors;
    const auto pane = [&](const field::Vector& v, const draw::ColorScale& scale, const std::string& what) {
      return draw::with_axes(draw::draw_field(plane, v, scale, options), frame, schema.coordinates[frame.across].name,
                             schema.coordinates[frame.up].name, what) +
             draw::color_bar(scale, channel.unit.empty() ? channel.name : channel.name + " (" + channel.unit + ")");
    };
    const field::Vector said = last.field.col(c);
    std::vector<Page::Figure> figures = {{pane(said, draw::scale_for(said), channel.name),
                                          channel.name + ", with the sensors that were believed (gold)"}};
    if (last.width.size() > 0) {
      const field::Vector width = last.width.col(c);
      if (width.allFinite())
        figures.push_back({pane(width, {draw::ColorMap::sequential, 0, std::max(1e-12, draw::scale_for(width).high)},
                                "width of the band of " + channel.name),
                           channel.name + ": width of the band"});
    }
    page.figures(figures);
  }
}

}  // namespace

std::filesystem::path write_series_page(const reconstruct::SeriesReport& series, const field::Schema& schema,
                                        const std::filesystem::path& folder) {
  Page page("Reconstruction from readings");
  page.paragraph(fmt::format("{} instants.", series.instants));
  if (!series.guarantee.empty()) page.paragraph(series.guarantee);
  if (series.sensor_report && !series.times.empty()) add_sensors(page, series);
  add_functionals(page, series);
  add_last(page, series.last, schema);
  const auto file = folder / "report.html";
  write_file(file, page.finish());
  return file;
}

}  // namespace fluidsplat::report

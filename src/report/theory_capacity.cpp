// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numbers>

#include "draw/chart.h"
#include "report/html.h"
#include "report/theory_report.h"
#include "theory/capacity.h"

namespace fluidsplat::report {
namespace {

void add_flow_limits(Page& page, const CapacityQuestion& question) {
  std::vector<std::vector<std::string>> rows = {{"limit", "value"}};
  if (question.corner_degrees > 0)
    rows.push_back(
        {fmt::format("smoothness that a corner of {:g} degrees cannot exceed, 1 + pi/angle", question.corner_degrees),
         fmt::format("{:.2f}", theory::corner_smoothness(question.corner_degrees * std::numbers::pi / 180))});
  if (question.reynolds > 0)
    rows.push_back(
        {fmt::format("primitives that cover the boundary layer at Re = {:g}, Re^((d-1)/2)", question.reynolds),
         fmt::format("{:.0f}", theory::boundary_layer_primitives(question.reynolds, question.dimension))});
  for (double n : question.sensors) {
    const theory::FlowCapacity flow = theory::flow_capacity(n, question.noise, 3, question.dimension);
    rows.push_back({fmt::format("steady flow, C^3 boundary, {:g} sensors: velocity / pressure", n),
                    fmt::format("{:.1f} / {:.1f}", flow.velocity, *flow.pressure)});
  }
  page.heading("Flows");
  page.table(rows);
}

}  // namespace

Exhibit show_capacity(const CapacityQuestion& question) {
  Exhibit exhibit;
  exhibit.table.header = {"dimension", "smoothness", "sensors", "noise", "capacity", "risk"};
  exhibit.table.columns.resize(exhibit.table.header.size());
  std::vector<std::vector<std::string>> grid = {{"smoothness s"}};
  for (double n : question.sensors) grid.front().push_back(fmt::format("N = {:g}", n));
  std::vector<draw::Series> series;
  for (double s : question.smoothness) {
    grid.push_back({fmt::format("{:g}", s)});
    draw::Series line{fmt::format("s = {:g}", s), {}, {}, true, false};
    for (double n : question.sensors) {
      const double k = theory::capacity(n, question.noise, s, question.dimension);
      const double risk = theory::optimal_risk(n, question.noise, s, question.dimension);
      const double cells[] = {double(question.dimension), s, n, question.noise, k, risk};
      for (std::size_t c = 0; c < std::size(cells); ++c) exhibit.table.columns[c].push_back(cells[c]);
      grid.back().push_back(fmt::format("{:.1f}", k));
      line.x.push_back(n);
      line.y.push_back(k);
    }
    series.push_back(std::move(line));
  }
  Page page("How many primitives can sensors support?");
  page.paragraph(
      fmt::format("K* = (N / noise^2)^(d/(2s+d)) for d = {} and noise {:g} relative to the field, with every constant "
                  "set to one. These are scales of growth, not settings: a trained model adapts its primitives and "
                  "learns from many frames.",
                  question.dimension, question.noise));
  page.table(grid);
  page.figures(
      {{draw::line_chart(
            series,
            {.title = "Capacity scale K*", .x_label = "sensors N", .y_label = "K*", .log_x = true, .log_y = true}),
        "smoother fields need fewer primitives"}});
  add_flow_limits(page, question);
  exhibit.html = page.finish();
  return exhibit;
}

}  // namespace fluidsplat::report

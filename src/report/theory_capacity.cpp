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
  exhibit.table = empty_table({"dimension", "smoothness", "sensors", "noise", "capacity", "risk"});
  std::vector<std::vector<std::string>> grid = {{"smoothness s"}};
  for (double n : question.sensors) grid.front().push_back(fmt::format("N = {:g}", n));
  std::vector<draw::Series> series;
  for (double s : question.smoothness) {
    grid.push_back({fmt::format("{:g}", s)});
    draw::Series line{fmt::format("s = {:g}", s), {}, {}, true, false};
    for (double n : question.sensors) {
      const double k = theory::capacity(n, question.noise, s, question.dimension);
      const double risk = theory::optimal_risk(n, question.noise, s, question.dimension);
      add_row(exhibit.table, {double(question.dimension), s, n, question.noise, k, risk});
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

namespace {

// Bias as measured, variance as the theory has it, and their sum, relative to the field.
Page::Figure trade_off(const theory::Advice& advice) {
  draw::Series bias{"squared bias", {}, {}, true, false}, variance{"variance, theory", {}, {}, true, false},
      sum{"sum", {}, {}, true, true};
  const double slope = advice.relative_noise() * advice.relative_noise() / advice.sensors;
  for (std::size_t i = 0; i < advice.best.counts.size(); ++i) {
    const double k = advice.best.counts[i], b = advice.best.mean[i] * advice.best.mean[i];
    for (draw::Series* s : {&bias, &variance, &sum}) s->x.push_back(k);
    bias.y.push_back(b);
    variance.y.push_back(slope * k);
    sum.y.push_back(b + slope * k);
  }
  return {draw::line_chart({bias, variance, sum}, {.title = "What more primitives bring and cost",
                                                   .x_label = "primitives K",
                                                   .y_label = "relative squared error",
                                                   .log_x = true,
                                                   .log_y = true}),
          "unnormalised Gaussians on fixed centres, least squares: bias as measured, variance as in theory"};
}

}  // namespace

Exhibit show_advice(const theory::Advice& advice, const std::string& subject) {
  Exhibit exhibit;
  const std::pair<const char*, double> values[] = {{"dimension", advice.dimension},
                                                   {"sensors", advice.sensors},
                                                   {"frames", advice.frames},
                                                   {"field_rms", advice.rms},
                                                   {"noise", advice.noise},
                                                   {"smoothness", advice.smoothness.smoothness},
                                                   {"smoothness_low", advice.smoothness.low},
                                                   {"smoothness_high", advice.smoothness.high},
                                                   {"oracle_exponent", advice.oracle.fit.exponent},
                                                   {"capacity", advice.capacity},
                                                   {"measured_capacity", advice.measured_capacity},
                                                   {"pooled_capacity", advice.pooled_capacity},
                                                   {"first", advice.first},
                                                   {"last", advice.last}};
  for (const auto& [name, value] : values) {
    exhibit.table.header.push_back(name);
    exhibit.table.columns.push_back({value});
  }
  Page page("How many primitives do these sensors support?");
  page.paragraph(subject);
  page.list(advice.findings);
  page.figures({{draw::line_chart({{"scaffold (oracle)", advice.oracle.counts, advice.oracle.mean, true, false},
                                   {"least squares", advice.best.counts, advice.best.mean, true, false}},
                                  {.title = "What primitives can represent of these data",
                                   .x_label = "primitives K",
                                   .y_label = "relative L2",
                                   .log_x = true,
                                   .log_y = true}),
                 "normalised scaffold and unnormalised least squares with the field known everywhere: no sensors, no "
                 "learning"},
                trade_off(advice)});
  page.heading("Read this before using the numbers");
  page.list(advice.caveats);
  exhibit.html = page.finish();
  return exhibit;
}

}  // namespace fluidsplat::report

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "draw/chart.h"
#include "report/html.h"
#include "report/theory_report.h"

namespace fluidsplat::report {
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

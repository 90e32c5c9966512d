// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "draw/chart.h"
#include "report/html.h"
#include "report/theory_report.h"

namespace fluidsplat::report {
namespace {

struct Published {
  double pixels, roughness, exponent;
};
// The paper's table, measured on the benchmark's own wake.
constexpr Published kPublished[] = {{0, 0.5241, -0.236}, {1, 0.3471, -0.367}, {4, 0.1691, -0.521}, {8, 0.1212, -0.536}};

std::string published(double pixels, double Published::*member) {
  for (const Published& row : kPublished)
    if (row.pixels == pixels) return fmt::format("{:.3f}", row.*member);
  return "";
}

}  // namespace

Exhibit show_oracle(const std::vector<theory::OracleSweepRow>& rows, const theory::OracleSweepSettings& settings,
                    const std::string& subject) {
  Exhibit exhibit;
  exhibit.table.header = {"smooth_px",     "roughness", "exponent", "exponent_low",
                          "exponent_high", "K",         "mean",     "deviation"};
  exhibit.table.columns.resize(exhibit.table.header.size());
  std::vector<std::vector<std::string>> summary = {
      {"frames", "roughness", "its roughness in the paper", "exponent", "95 % interval", "its exponent in the paper"}};
  std::vector<draw::Series> series;
  for (const theory::OracleSweepRow& row : rows) {
    const theory::RateFit& fit = row.curve.fit;
    for (std::size_t i = 0; i < row.curve.counts.size(); ++i) {
      const double cells[] = {row.smooth_pixels, row.roughness,       fit.exponent,      fit.low,
                              fit.high,          row.curve.counts[i], row.curve.mean[i], row.curve.deviation[i]};
      for (std::size_t c = 0; c < std::size(cells); ++c) exhibit.table.columns[c].push_back(cells[c]);
    }
    summary.push_back({row.name(), fmt::format("{:.4f}", row.roughness),
                       published(row.smooth_pixels, &Published::roughness), fmt::format("{:.3f}", fit.exponent),
                       fmt::format("{:.3f} to {:.3f}", fit.low, fit.high),
                       published(row.smooth_pixels, &Published::exponent)});
    series.push_back({row.name(), row.curve.counts, row.curve.mean, true, false});
  }
  // The slope of the theory, from the first point of the smoothest frames.
  const theory::RateCurve& last = rows.back().curve;
  draw::Series reference{"K^(-1/2)", last.counts, {}, true, true};
  for (double k : last.counts) reference.y.push_back(last.mean.front() * std::sqrt(last.counts.front() / k));
  series.push_back(std::move(reference));

  Page page("Shepard oracle: does smoothing restore the rate?");
  page.paragraph(fmt::format(
      "{}. The oracle sets each primitive to the field's value at its centre; nothing is learned. Centres are nested "
      "farthest points, scales {:g} times their {}. Theory: a smooth field's error falls as K^(-1/2) in two "
      "dimensions, and no faster; a rough field's falls more slowly.",
      subject, settings.alpha, settings.unit == theory::ScaleUnit::kFillDistance ? "fill distance" : "mean spacing"));
  page.table(summary);
  page.figures({{draw::line_chart(series, {.title = "Error of the Shepard oracle",
                                           .x_label = "primitives K",
                                           .y_label = "relative L2",
                                           .log_x = true,
                                           .log_y = true}),
                 "mean over frames, raw and smoothed; the dashed line has the slope of the theory"}});
  page.paragraph(
      "Smoothing is a Gaussian filter in pixels; pixels outside the fluid count as zero. Roughness is the rms of the "
      "gradient per pixel over the rms of the field.");
  exhibit.html = page.finish();
  return exhibit;
}

}  // namespace fluidsplat::report

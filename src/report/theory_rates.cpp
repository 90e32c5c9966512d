// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "draw/chart.h"
#include "report/html.h"
#include "report/theory_report.h"

namespace fluidsplat::report {
namespace {

std::string expectation(const theory::RateStudy& study) {
  return fmt::format("{}{:.3f}", study.expected_is_bound ? "at most " : "", study.expected);
}

// Short enough for a legend: the dimension is in the chart's title.
std::string legend(const theory::RateStudy& study) {
  return fmt::format("{}{}: {:.2f}", study.field.substr(0, study.field.find(" in ")),
                     study.primitives == theory::PrimitiveClass::kGreedy ? " greedy" : "", study.curve.fit.exponent);
}

Page::Figure figure(const std::vector<theory::RateStudy>& studies, int dimension) {
  std::vector<draw::Series> series;
  for (const theory::RateStudy& study : studies) {
    if (study.dimension != dimension) continue;
    series.push_back({legend(study), study.curve.counts, study.curve.mean, true,
                      study.primitives == theory::PrimitiveClass::kNormalised});
  }
  return {
      draw::line_chart(series, {.title = fmt::format("Rates in {} dimension{}", dimension, dimension > 1 ? "s" : ""),
                                .x_label = "primitives K",
                                .y_label = "relative L2",
                                .log_x = true,
                                .log_y = true}),
      "fitted exponents in the legend; dashed: the normalised class"};
}

}  // namespace

Exhibit show_rates(const std::vector<theory::RateStudy>& studies) {
  Exhibit exhibit;
  exhibit.table.header = {"study",        "dimension",     "smoothness", "normalised", "expected", "exponent",
                          "exponent_low", "exponent_high", "K",          "mean",       "deviation"};
  exhibit.table.columns.resize(exhibit.table.header.size());
  std::vector<std::vector<std::string>> summary = {
      {"field", "smoothness s", "primitives", "expected exponent", "measured", "95 % interval"}};
  for (std::size_t s = 0; s < studies.size(); ++s) {
    const theory::RateStudy& study = studies[s];
    const theory::RateFit& fit = study.curve.fit;
    for (std::size_t i = 0; i < study.curve.counts.size(); ++i) {
      const double cells[] = {double(s + 1),
                              double(study.dimension),
                              study.smoothness,
                              study.primitives == theory::PrimitiveClass::kNormalised ? 1.0 : 0.0,
                              study.expected,
                              fit.exponent,
                              fit.low,
                              fit.high,
                              study.curve.counts[i],
                              study.curve.mean[i],
                              study.curve.deviation[i]};
      for (std::size_t c = 0; c < std::size(cells); ++c) exhibit.table.columns[c].push_back(cells[c]);
    }
    summary.push_back({study.field, std::isinf(study.smoothness) ? "smooth" : fmt::format("{:g}", study.smoothness),
                       name_of(study.primitives), expectation(study), fmt::format("{:.3f}", fit.exponent),
                       fmt::format("{:.3f} to {:.3f}", fit.low, fit.high)});
  }
  Page page("Approximation rates on fields of known smoothness");
  page.paragraph(
      "Theory: unnormalised Gaussians reach K^(-s/d) on a field of Sobolev smoothness s in d dimensions; the "
      "normalised (Shepard) scaffold saturates at K^(-1/d) however smooth the field is. The expected exponents are the "
      "theory's alone; fields, ranges of K and scales were chosen in pilot runs, to lie past the range where the "
      "field's shape rather than its roughness decides. Measured exponents are still a little steeper than their "
      "limits, by more than some intervals, which hold the scatter of the fit only.");
  page.table(summary);
  page.figures({figure(studies, 1), figure(studies, 2), figure(studies, 3)});
  exhibit.html = page.finish();
  return exhibit;
}

}  // namespace fluidsplat::report

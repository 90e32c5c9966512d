// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "draw/chart.h"
#include "report/html.h"
#include "report/theory_report.h"

namespace fluidsplat::report {
namespace {

Page::Figure u_shape(const theory::RiskStudy& study) {
  const double sigma = study.settings.noise;
  draw::Series bias{"squared bias", {}, {}, true, false}, variance{"variance", {}, {}, true, false},
      risk{"risk", {}, {}, true, false}, bound{"the theorem's bound", {}, {}, true, true};
  for (const theory::RiskTerms& t : study.curve.terms) {
    for (draw::Series* s : {&bias, &variance, &risk, &bound}) s->x.push_back(t.primitives);
    bias.y.push_back(t.bias);
    variance.y.push_back(t.variance(sigma));
    risk.y.push_back(t.risk(sigma));
    bound.y.push_back(t.bound(sigma));
  }
  return {draw::line_chart({bias, variance, risk, bound}, {.title = "Risk of least squares from noisy samples",
                                                           .x_label = "Gaussians K",
                                                           .y_label = "mean squared L2 error",
                                                           .log_x = true,
                                                           .log_y = true}),
          "more Gaussians lower the bias and raise the variance"};
}

Page::Figure scaling(const theory::RiskStudy& study) {
  draw::Series measured{"least risk", {}, {}, false, false}, fitted{"K*", {}, {}, true, true};
  for (double sigma : study.noises) {
    const double ratio = study.settings.samples / (sigma * sigma);
    measured.x.push_back(ratio);
    measured.y.push_back(study.curve.minimiser(sigma));
    fitted.x.push_back(ratio);
    fitted.y.push_back(study.curve.predicted_minimiser(sigma));
  }
  return {draw::line_chart({measured, fitted}, {.title = "The best count over N / noise^2",
                                                .x_label = "N / noise^2",
                                                .y_label = "K",
                                                .log_x = true,
                                                .log_y = true}),
          fmt::format("K* with the measured constants; fitted exponent {:.3f} ({:.3f} to {:.3f}); theory d/(2s+d) = "
                      "{:.3f}",
                      study.scaling.exponent, study.scaling.low, study.scaling.high, study.expected_scaling)};
}

}  // namespace

Exhibit show_risk(const theory::RiskStudy& study) {
  const double sigma = study.settings.noise;
  Exhibit exhibit;
  exhibit.table = empty_table({"K", "N", "noise", "bias", "aliasing", "variance", "risk", "bound", "stability"});
  for (const theory::RiskTerms& t : study.curve.terms)
    add_row(exhibit.table, {double(t.primitives), double(t.samples), sigma, t.bias, t.aliasing, t.variance(sigma),
                            t.risk(sigma), t.bound(sigma), t.stability});
  Page page("Risk of a fixed Gaussian dictionary");
  page.paragraph(
      fmt::format("A field of smoothness s = {:g} in {}, read at {} evenly spread points with noise {:g}, fitted by "
                  "ordinary least squares. The risk is exact in the noise. Its minimum lies at K = {:.0f}; K* with the "
                  "measured constants is {:.0f}.",
                  study.smoothness, study.settings.dimension == 1 ? "one dimension" : "two dimensions",
                  study.settings.samples, sigma, study.curve.minimiser(sigma), study.curve.predicted_minimiser(sigma)));
  page.figures({u_shape(study), scaling(study)});
  exhibit.html = page.finish();
  return exhibit;
}

namespace {

using Cells = std::vector<theory::VarianceCell>;

Page::Figure excess(const Cells& independent, const Cells& stratified) {
  draw::Series drawn{"independent samples", {}, {}, false, false}, even{"one per cell", {}, {}, false, false},
      expected{"expected", {0}, {0}, true, true};
  const auto percent = [](double ratio) { return 100 * (ratio - 1); };
  for (const auto& [cells, series] : {std::pair{&independent, &drawn}, std::pair{&stratified, &even}})
    for (const theory::VarianceCell& cell : *cells) {
      series->x.push_back(percent(cell.inflation));
      series->y.push_back(percent(cell.ratio));
    }
  const double widest = *std::max_element(drawn.x.begin(), drawn.x.end());
  expected.x.push_back(widest);
  expected.y.push_back(widest);
  return {draw::line_chart({drawn, even, expected}, {.title = "Variance in excess of noise^2 K / N",
                                                     .x_label = "expected excess of independent samples, %",
                                                     .y_label = "measured excess, %"}),
          "each dot is one (K, N, noise); on the dashed line the measured excess is what independent samples are "
          "expected to cost, to first order in 1/N"};
}

io::Table numbers(const Cells& independent, const Cells& stratified) {
  io::Table table =
      empty_table({"stratified", "K", "N", "noise", "ratio", "exact_ratio", "inflation", "luck", "bound", "plentiful"});
  for (const Cells* cells : {&independent, &stratified})
    for (const theory::VarianceCell& cell : *cells)
      add_row(table,
              {cell.stratified ? 1.0 : 0.0, double(cell.primitives), double(cell.samples), cell.noise, cell.ratio,
               cell.exact_ratio, cell.inflation, cell.luck, 1 / cell.stability, cell.plentiful() ? 1.0 : 0.0});
  return table;
}

// One row per (K, N): the noise levels differ by chance alone.
std::vector<std::vector<std::string>> by_count(const Cells& cells) {
  std::vector<std::vector<std::string>> rows = {{"K", "N", "N / (K log K)", "ratio, Monte-Carlo", "ratio, exact",
                                                 "expected of independent samples", "bound, 1 / c_s"}};
  for (std::size_t i = 0; i < cells.size();) {
    const theory::VarianceCell& cell = cells[i];
    double low = cell.ratio, high = low;
    for (; i < cells.size() && cells[i].primitives == cell.primitives && cells[i].samples == cell.samples; ++i) {
      low = std::min(low, cells[i].ratio);
      high = std::max(high, cells[i].ratio);
    }
    rows.push_back({fmt::format("{}", cell.primitives), fmt::format("{}", cell.samples),
                    fmt::format("{:.1f}{}", cell.samples / (cell.primitives * std::log(cell.primitives)),
                                cell.plentiful() ? "" : " (too few)"),
                    fmt::format("{:.3f} to {:.3f}", low, high), fmt::format("{:.3f}", cell.exact_ratio),
                    fmt::format("{:.3f} (one drawing: +/- {:.3f})", cell.inflation, cell.luck),
                    fmt::format("{:.3f}", 1 / cell.stability)});
  }
  return rows;
}

}  // namespace

Exhibit show_variance(const Cells& independent, const Cells& stratified) {
  const Cells enough = plentiful(independent);
  Page page("Variance of least squares over noise^2 K / N");
  page.paragraph(fmt::format(
      "The theory says the variance is proportional to noise^2 K / N once the samples see the dictionary evenly. "
      "Independent samples do so when N is large against K log K. Over the {} cells with N >= {:g} K log K the ratio "
      "varies by {:.1f} % (largest minus smallest, over the mean); over all {} cells, crowded ones included, by {:.1f} "
      "%. With one sample in each of N equal cells: {:.1f} % and {:.1f} %.",
      enough.size(), theory::kPlenty, 100 * relative_range(enough), independent.size(),
      100 * relative_range(independent), 100 * relative_range(plentiful(stratified)),
      100 * relative_range(stratified)));
  page.paragraph(
      "Why crowding costs: the Gram matrix that N independent samples see is right on average, but its inverse is then "
      "too large on average. To first order in 1/N the ratio is 1 + (volume * integral of kappa^2 / K - 1) / N, where "
      "kappa is the sum of squares of a basis that is orthonormal on the domain. That is 1 + (K - 1) / N or more, as "
      "for the K / (N - K - 1) of Gaussian designs. It fades as N grows and stays below the theorem's 1 / c_s: a "
      "finite-sample effect inside the theorem's constant, not a departure from it. One drawing of the samples alone "
      "varies by luck as well; the ratios here are means over drawings.");
  page.figures({excess(independent, stratified)});
  page.heading("Independent uniform samples");
  page.paragraph(
      "Monte-Carlo: samples and noise drawn, coefficients fitted; the range over the noise levels. Exact: the same "
      "samples, exact in the noise. c_s is the least of the drawings.");
  page.table(by_count(independent));
  page.heading("One sample in each of N equal cells");
  page.paragraph("What independent samples are expected to cost, samples that are spread evenly avoid.");
  page.table(by_count(stratified));
  return {numbers(independent, stratified), page.finish()};
}

}  // namespace fluidsplat::report

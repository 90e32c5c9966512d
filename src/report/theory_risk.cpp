// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

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
  exhibit.table.header = {"K", "N", "noise", "bias", "aliasing", "variance", "risk", "bound", "stability"};
  exhibit.table.columns.resize(exhibit.table.header.size());
  for (const theory::RiskTerms& t : study.curve.terms) {
    const double cells[] = {double(t.primitives), double(t.samples), sigma,          t.bias,     t.aliasing,
                            t.variance(sigma),    t.risk(sigma),     t.bound(sigma), t.stability};
    for (std::size_t c = 0; c < std::size(cells); ++c) exhibit.table.columns[c].push_back(cells[c]);
  }
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

}  // namespace fluidsplat::report

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/reconstruction_report.h"

#include <fmt/format.h>

#include "report/chart.h"
#include "report/html.h"

namespace fluidsplat::report {
namespace {

void add_case(Page& page, const ShownCase& c, const field::Schema& schema) {
  page.heading(
      fmt::format("{} case: number {}, relative L2 error {:.4f}", c.caption, c.index, c.error.relative_l2));
  for (std::size_t k = 0; k < schema.channels.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    const std::string unit = schema.channels[k].unit, name = schema.channels[k].name;
    const field::Vector truth = c.truth.col(column), prediction = c.prediction.col(column),
                        error = (c.prediction.col(column) - c.truth.col(column)).cwiseAbs();
    const ColorScale scale = scale_for(truth);
    const ColorScale error_scale{ColorMap::sequential, 0, std::max(1e-12, scale_for(error).high)};
    PictureOptions marked;
    marked.sensors = c.sensors;
    PictureOptions with_primitives = marked;
    with_primitives.ellipses = c.primitives;
    const auto picture = [&](const field::Vector& v, const ColorScale& s, const PictureOptions& o,
                             const char* what) {
      return image(data_uri(draw_field(*c.mesh, v, s, o)), fmt::format("{} {}", what, name));
    };
    const auto range = fmt::format("colours {:.3g} to {:.3g} {}", scale.low, scale.high, unit);
    std::vector<Page::Figure> figures = {
        {picture(truth, scale, marked, "true"), fmt::format("{}: truth; {}", name, range)},
        {picture(prediction, scale, marked, "reconstructed"),
         fmt::format("reconstruction from the {} sensors (gold); same colours", c.sensors.rows())},
        {picture(error, error_scale, marked, "error of"),
         fmt::format("absolute error; colours 0 to {:.3g} {}", error_scale.high, unit)}};
    if (c.scaffold.size() > 0)
      figures.push_back({picture(c.scaffold.col(column), scale, with_primitives, "scaffold of"),
                         fmt::format("the scaffold f_prim alone and its {} weightiest primitives (one-sigma "
                                     "ellipses); same colours as the truth",
                                     c.primitives.size())});
    page.figures(figures);
  }
}

}  // namespace

std::string to_html(const ReconstructionReport& r) {
  Page page(r.title);
  for (const auto& text : r.introduction) page.paragraph(text);
  page.table(r.numbers);
  for (const auto& c : r.cases) add_case(page, c, r.schema);

  page.heading("Errors and training");
  std::vector<Page::Figure> charts;
  charts.push_back(
      {line_chart(
           {{"", r.test_time, r.test_error, true, false}},
           {.title = "Error of the unseen frames over time", .x_label = "time", .y_label = "relative L2"}),
       "each unseen frame's relative L2 error"});
  charts.push_back({histogram(r.test_error, 24,
                              {.title = "Its distribution", .x_label = "relative L2", .y_label = "frames"}),
                    "how many unseen frames have which error"});
  charts.push_back(
      {line_chart({{"training loss", r.loss_step, r.loss, true, false},
                   {"validation error", r.loss_step, r.validation, true, false}},
                  {.title = "Training", .x_label = "step", .y_label = "loss, relative L2", .log_y = true}),
       "loss in normalised units (mean square), validation as relative L2"});
  page.figures(charts);
  if (!r.config.empty()) page.folded("The full configuration", r.config);
  return page.finish();
}

}  // namespace fluidsplat::report

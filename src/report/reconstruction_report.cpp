// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/reconstruction_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "draw/axes.h"
#include "draw/chart.h"
#include "draw/markup.h"
#include "draw/surface_discs.h"
#include "draw/volume_view.h"
#include "field/error_text.h"
#include "report/html.h"

namespace fluidsplat::report {
namespace {

// One channel of a case, and the colours it is shown in.
struct Shown {
  const ShownCase& c;
  std::string name, unit;
  field::Vector truth, prediction, error, scaffold;
  draw::ColorScale scale, error_scale;
};

Shown shown_channel(const ShownCase& c, const field::Schema& schema, std::size_t k) {
  const Index column = k;
  Shown s{
      c, schema.channels[k].name, schema.channels[k].unit, c.truth.col(column), c.prediction.col(column), {}, {}, {},
      {}};
  s.error = (s.prediction - s.truth).cwiseAbs();
  if (c.scaffold.size() > 0) s.scaffold = c.scaffold.col(column);
  s.scale = draw::scale_for(s.truth);
  s.error_scale = {draw::ColorMap::sequential, 0, std::max(1e-12, draw::scale_for(s.error).high)};
  return s;
}

// "x (m)"
std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

std::string coordinate(const field::Schema& schema, Index axis) {
  if (axis >= std::ssize(schema.coordinates)) return std::string(1, "xyz"[axis]);
  return with_unit(schema.coordinates[axis].name, schema.coordinates[axis].unit);
}

// A view in space above the bar of its colours.
std::string with_bar(const io::Image& picture, const draw::ColorScale& scale, const Shown& s, const std::string& what) {
  return image(draw::data_uri(picture), what) + draw::color_bar(scale, with_unit(s.name, s.unit));
}

std::string range(const draw::ColorScale& scale, const std::string& unit) {
  return fmt::format("colours {:.3g} to {:.3g}{}{}", scale.low, scale.high, unit.empty() ? "" : " ", unit);
}

// The flow in a plane, to be drawn over what is no velocity itself.
struct Streamlines {
  std::vector<draw::Path> truth, prediction;
};

Streamlines streamlines_of(const ShownCase& c, const field::Schema& schema, const draw::Plane& plane) {
  const auto velocity = model::find_velocity(schema);
  if (velocity.empty()) return {};
  const auto lines = [&](const field::Matrix& fields) {
    return draw::streamlines(plane, fields.col(velocity[plane.frame().across]), fields.col(velocity[plane.frame().up]));
  };
  return {lines(c.truth), lines(c.prediction)};
}

bool is_velocity(std::size_t channel, const field::Schema& schema) {
  const auto velocity = model::find_velocity(schema);
  return std::find(velocity.begin(), velocity.end(), Index(channel)) != velocity.end();
}

// Truth, reconstruction, error and scaffold side by side.
void add_panes(Page& page, const Shown& s, const field::Schema& schema, const draw::Plane& plane,
               const Streamlines& streamlines, const std::string& where) {
  draw::PictureOptions plain;
  plain.sensors = s.c.sensors;
  const auto& frame = plane.frame();
  const auto pane = [&](const field::Vector& v, const draw::ColorScale& scale, const draw::PictureOptions& o,
                        const char* what, const std::vector<draw::Path>& lines = {}) {
    return draw::with_axes(draw::draw_field(plane, v, scale, o), frame, coordinate(schema, frame.across),
                           coordinate(schema, frame.up), fmt::format("{} {}", what, s.name), lines) +
           draw::color_bar(scale, with_unit(s.name, s.unit));
  };
  const char* with_lines = streamlines.truth.empty() ? "" : ", with streamlines";
  std::vector<Page::Figure> figures = {
      {pane(s.truth, s.scale, plain, "true", streamlines.truth),
       fmt::format("{}{}: truth{}; {}", s.name, where, with_lines, range(s.scale, s.unit))},
      {pane(s.prediction, s.scale, plain, "reconstructed", streamlines.prediction),
       fmt::format("reconstruction from the {} sensors{}{}; same colours", s.c.sensors.rows(),
                   plane.is_slice() ? "" : " (gold)", with_lines)},
      {pane(s.error, s.error_scale, plain, "error of"),
       fmt::format("absolute error; {}", range(s.error_scale, s.unit))}};
  if (s.scaffold.size() > 0) {
    draw::PictureOptions with_primitives = plain;
    with_primitives.ellipses = s.c.primitives;
    const auto what = s.c.scaffold_is_added_to.empty()
                          ? std::string("the scaffold f_prim alone")
                          : fmt::format("{} plus the scaffold f_prim", s.c.scaffold_is_added_to);
    figures.push_back({pane(s.scaffold, s.scale, with_primitives, "scaffold of"),
                       s.c.primitives.empty() ? fmt::format("{}; same colours as the truth", what)
                                              : fmt::format("{} and the {} primitives that carry most of it "
                                                            "(one-sigma ellipses); same colours as the truth",
                                                            what, s.c.primitives.size())});
  }
  page.figures(figures);
}

// The whole volume as VTK draws it.
void add_volume(Page& page, const Shown& s) {
  try {
    draw::VolumeOptions options;
    options.sensors = s.c.sensors;
    const auto view = [&](const field::Vector& v, const draw::ColorScale& scale, const char* what) {
      return with_bar(draw::draw_volume(*s.c.mesh, v, scale, options), scale, s,
                      fmt::format("{} {} in space", what, s.name));
    };
    page.figures(
        {{view(s.truth, s.scale, "true"),
          fmt::format("{}: truth, with the sensors (gold); {}", s.name, range(s.scale, s.unit))},
         {view(s.prediction, s.scale, "reconstructed"), "reconstruction; same colours"},
         {view(s.error, s.error_scale, "error of"), fmt::format("absolute error; {}", range(s.error_scale, s.unit))}});
  } catch (const Error& e) {
    page.paragraph(fmt::format("No view of the volume: {}", e.what()));
  }
}

// The planes that a mesh is shown in, and what they are called: a planar one as it is, a volume by slices through its
// middle.  Data on a surface alone has nothing inside to cut through.
struct NamedPlane {
  std::string where;
  std::unique_ptr<draw::Plane> plane;
  Streamlines streamlines;
};

std::vector<NamedPlane> planes_of(const ShownCase& c, const field::Schema& schema) {
  std::vector<NamedPlane> out;
  const auto add = [&](const std::string& where, std::unique_ptr<draw::Plane> plane) {
    auto lines = streamlines_of(c, schema, *plane);
    out.push_back({where, std::move(plane), std::move(lines)});
  };
  if (schema.dim() < 3) {
    add("", std::make_unique<draw::Plane>(*c.mesh));
  } else if (!draw::is_surface(*c.mesh)) {
    for (int normal = 2; normal >= 0; --normal)
      add(fmt::format(", middle slice across {}", schema.coordinates[normal].name),
          std::make_unique<draw::Plane>(*c.mesh, draw::Slice{.normal = normal}));
  }
  return out;
}

void add_case(Page& page, const ShownCase& c, const field::Schema& schema) {
  page.heading(fmt::format("{} case: number {}{}, relative L2 error {}", c.caption, c.index,
                           c.name.empty() ? "" : " \"" + c.name + "\"", field::error_text(c.error.relative_l2)));
  const auto planes = planes_of(c, schema);
  for (std::size_t k = 0; k < schema.channels.size(); ++k) {
    const auto s = shown_channel(c, schema, k);
    if (schema.dim() == 3) add_volume(page, s);
    for (const auto& p : planes)
      add_panes(page, s, schema, *p.plane, is_velocity(k, schema) ? Streamlines{} : p.streamlines, p.where);
  }
}

}  // namespace

std::string to_html(const ReconstructionReport& r) {
  Page page(r.title);
  for (const auto& text : r.introduction) page.paragraph(text);
  page.table(r.numbers);
  for (const auto& c : r.cases) add_case(page, c, r.schema);

  if (r.trust) add_trust(page, *r.trust, r.schema);
  if (!r.forces.empty()) {
    page.heading("Pressure forces");
    std::vector<Page::Figure> figures;
    for (const auto& f : r.forces) {
      const bool line = f.time.size() > 2 && f.time.front() != f.time.back();
      figures.push_back({draw::line_chart({{"truth", f.time, f.truth, line, true},
                                           {"reconstruction", f.time, f.predicted, line, false}},
                                          {.title = f.name, .x_label = "time", .y_label = "coefficient"}),
                         fmt::format("{} coefficient of the pressure on the wall, truth and reconstruction", f.name)});
    }
    page.figures(figures);
  }

  page.heading("Errors and training");
  std::vector<Page::Figure> charts;
  const bool series = r.test_time.size() > 2 && r.test_time.front() != r.test_time.back();
  std::vector<double> number(r.test_error.size());
  std::iota(number.begin(), number.end(), 1.0);
  charts.push_back({draw::line_chart({{"", series ? r.test_time : number, r.test_error, series, false}},
                                     {.title = "Error of the unseen cases",
                                      .x_label = series ? "time" : "unseen case",
                                      .y_label = "relative L2"}),
                    "each unseen case's relative L2 error"});
  charts.push_back(
      {draw::histogram(r.test_error, 24, {.title = "Its distribution", .x_label = "relative L2", .y_label = "cases"}),
       "how many unseen cases have which error"});
  charts.push_back(
      {draw::line_chart({{"training loss", r.loss_step, r.loss, true, false},
                         {"validation error", r.loss_step, r.validation, true, false}},
                        {.title = "Training", .x_label = "step", .y_label = "loss, relative L2", .log_y = true}),
       "loss in normalised units (mean square), validation as relative L2"});
  page.figures(charts);
  if (!r.config.empty()) page.folded("The full configuration", r.config);
  return page.finish();
}

}  // namespace fluidsplat::report

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/trust_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "draw/axes.h"
#include "draw/chart.h"
#include "draw/picture.h"
#include "reconstruct/disturbance.h"

namespace fluidsplat::report {
namespace {

constexpr double kLevels[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
constexpr Index kMostCases = 60, kPointsOfEach = 1000, kBins = 12;
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

struct WidthAndError {
  float half_width, error;
};

// Points in groups of like width: the mean of it, and the error that a share `level` of them stays below.
void bin_by_width(std::vector<WidthAndError>& points, double level, std::vector<double>& widths,
                  std::vector<double>& errors) {
  std::ranges::sort(points, {}, &WidthAndError::half_width);
  const Index n = std::ssize(points);
  for (Index b = 0; b < kBins; ++b) {
    const Index first = b * n / kBins, end = (b + 1) * n / kBins;
    if (end <= first) continue;
    double sum = 0;
    std::vector<float> sizes;
    for (Index i = first; i < end; ++i) sum += points[i].half_width, sizes.push_back(points[i].error);
    const auto at = sizes.begin() + std::min(std::ssize(sizes) - 1, Index(level * double(sizes.size())));
    std::ranges::nth_element(sizes, at);
    widths.push_back(sum / double(end - first));
    errors.push_back(*at);
  }
}

// As many as a chart can show, in order of time; none where all have the same.
std::vector<Index> frames_in_a_row(const field::Dataset& dataset, const std::vector<Index>& all) {
  std::vector<std::pair<double, Index>> by_time;
  for (Index i : all) by_time.push_back({dataset.without_fields(i).time, i});
  std::ranges::sort(by_time);
  std::vector<Index> out;
  if (by_time.size() < 3 || by_time.front().first == by_time.back().first) return out;
  for (Index i = 0; i < std::min(std::ssize(by_time), kMostCases); ++i) out.push_back(by_time[i].second);
  return out;
}

double shortest_step(const std::vector<reconstruct::JudgedFunctionals>& frames) {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < frames.size(); ++i)
    if (const double step = frames[i].time - frames[i - 1].time; step > 0) out = std::min(out, step);
  return out;
}

std::vector<Index> thinned(const std::vector<Index>& all) {
  std::vector<Index> out;
  const Index n = std::min(std::ssize(all), kMostCases);
  for (Index i = 0; i < n; ++i) out.push_back(all[i * std::ssize(all) / n]);
  return out;
}

std::string with_unit(const std::string& what, const std::string& unit) {
  return unit.empty() ? what : fmt::format("{} ({})", what, unit);
}

std::string label(const model::Column& c) {
  return with_unit(c.name, c.unit);
}

void add_maps(Page& page, const TrustPart& t, const field::Schema& schema) {
  if (schema.dim() != 2) return;
  page.paragraph(fmt::format(
      "Case {} closely: how wide the band is, and where the truth lies outside it ({:.1f} % of its points; over many "
      "cases {:.0f} % or fewer on average).",
      t.shown, 100 * t.share_outside, 100 * (1 - t.level)));
  const draw::Plane plane(*t.mesh);
  const auto& frame = plane.frame();
  draw::PictureOptions options;
  options.sensors = t.sensors;
  for (Index c = 0; c < std::ssize(schema.channels); ++c) {
    const bool is_inside = !(t.outside.col(c).array() > 0).any();
    const auto pane = [&](const field::Vector& v, const std::string& what) {
      // Where nothing lies beyond, the width says what colours would mean; a few points beyond are their own scale.
      const field::Vector shown = is_inside ? field::Vector(t.width.col(c)) : v;
      const double high = draw::scale_for(shown).high;
      const draw::ColorScale scale{draw::ColorMap::sequential, 0,
                                   std::max(1e-12, high > 1e-12 ? high : double(shown.maxCoeff()))};
      return draw::with_axes(draw::draw_field(plane, v, scale, options), frame, label(schema.coordinates[frame.across]),
                             label(schema.coordinates[frame.up]), what) +
             draw::color_bar(scale, label(schema.channels[c]));
    };
    const auto& name = schema.channels[c].name;
    page.figures({{pane(t.width.col(c), "width of the band of " + name),
                   fmt::format("{}: width of the {:g} % band, with the sensors (gold)", name, 100 * t.level)},
                  {pane(t.outside.col(c), "truth beyond the band of " + name),
                   is_inside ? name + ": the truth lies inside the band everywhere"
                             : name + ": how far the truth lies beyond the band (dark: inside)"}});
  }
}

void add_functionals(Page& page, const TrustPart& t) {
  if (t.functionals.empty() || t.judged.empty()) return;
  page.heading("Calibrated numbers with their intervals");
  std::vector<Page::Figure> figures;
  const bool series = !t.in_a_row.empty();
  const auto& drawn = series ? t.in_a_row : t.judged;
  const double step = series ? shortest_step(drawn) : 1;
  for (std::size_t f = 0; f < t.functionals.size(); ++f) {
    draw::Series truth{"truth", {}, {}, series, true}, said{"reconstruction", {}, {}, series, false};
    const auto add = [&](double x, double true_value, double said_value, double low, double high) {
      truth.x.push_back(x), truth.y.push_back(true_value);
      said.x.push_back(x), said.y.push_back(said_value);
      said.low.push_back(low), said.high.push_back(high);
    };
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const auto& r = drawn[i];
      if (series && i > 0 && r.time - drawn[i - 1].time > 1.5 * step) add(kGap, kGap, kGap, kGap, kGap);
      add(series ? r.time : double(i + 1), r.truth[f], r.said[f], r.lower[f], r.upper[f]);
    }
    Index inside = 0, left = 0;
    for (const auto& r : t.judged) {
      left += !r.is_calibrated_on;
      inside += !r.is_calibrated_on && r.truth[f] >= r.lower[f] && r.truth[f] <= r.upper[f];
    }
    const auto& unit = t.functionals[f].unit;
    figures.push_back(
        {draw::line_chart({said, truth}, {.title = t.functionals[f].name,
                                          .x_label = series ? "time" : "unseen case",
                                          .y_label = unit.empty() ? "coefficient" : unit}),
         fmt::format("{}: reconstruction with its {:g} % interval (shaded), and the truth; held in {} of {} "
                     "cases{}",
                     t.functionals[f].name, 100 * t.level, inside, left,
                     series ? " spread over the series, of which frames in a row are drawn" : "")});
  }
  page.figures(figures);
}

}  // namespace

TrustPart judge_trust(reconstruct::FieldModel& model, const field::SeenData& seen,
                      const std::shared_ptr<const uncertainty::Calibration>& calibration,
                      const field::SensorPlacement& sensors, const std::vector<Index>& left, Index shown) {
  const auto& dataset = *seen;
  TrustPart out;
  out.level = std::min(0.9, calibration->highest_level());
  const uncertainty::BandRequest request{.level = out.level};
  out.guarantee = uncertainty::guarantee(*calibration, request);
  out.functionals = calibration->functionals;
  out.shown = shown;
  reconstruct::FunctionalJudge judge(model, calibration, request, dataset.name());
  for (double level : kLevels)
    if (level <= calibration->highest_level()) out.nominal.push_back(level);
  std::vector<reconstruct::FieldBands> bands;
  for (double level : out.nominal)
    bands.emplace_back(calibration, model.description(), uncertainty::BandRequest{.level = level});
  reconstruct::FieldBands close(calibration, model.description(), request);
  out.observed.assign(out.nominal.size(), 0);
  std::vector<std::vector<WidthAndError>> points(dataset.schema().channels.size());
  for (const auto& channel : dataset.schema().channels) out.unit.push_back(channel.unit);

  const auto look_at = [&](Index index, field::Case& c, field::SensorReadings& readings) {
    c = dataset.load(index);
    // With the noise that was calibrated with.
    readings = reconstruct::disturb(sensors.read(c, index), {.noise = calibration->noise},
                                    model.description().normalization.readings);
    return model.reconstruct(readings, reconstruct::descriptors_for(c.descriptors, model.schema()), c.mesh,
                             close.extras());
  };
  field::Case c;
  field::SensorReadings readings;
  const auto cases = thinned(left);
  out.cases = std::ssize(cases);
  for (Index index : cases) {
    const auto said = look_at(index, c, readings);
    for (std::size_t l = 0; l < bands.size(); ++l) {
      const auto edges = bands[l].around(said, readings, c.mesh);
      const auto inside = (c.fields.array() >= edges.lower.array() && c.fields.array() <= edges.upper.array()).count();
      out.observed[l] += double(inside) / double(c.fields.size()) / double(cases.size());
    }
    const auto edges = close.around(said, readings, c.mesh);
    const Index step = std::max(Index(1), c.fields.rows() / kPointsOfEach);
    for (Index ch = 0; ch < c.fields.cols(); ++ch)
      for (Index i = 0; i < c.fields.rows(); i += step)
        points[ch].push_back(
            {0.5f * (edges.upper(i, ch) - edges.lower(i, ch)), std::abs(c.fields(i, ch) - said.field(i, ch))});
    if (!out.functionals.empty()) out.judged.push_back(judge.judge(c, index, readings, said.field));
  }
  std::ranges::stable_sort(out.judged, {}, &reconstruct::JudgedFunctionals::time);
  if (!out.functionals.empty())
    for (Index index : frames_in_a_row(dataset, left)) {
      const auto said = look_at(index, c, readings);
      out.in_a_row.push_back(judge.judge(c, index, readings, said.field));
    }
  for (auto& channel : points)
    bin_by_width(channel, out.level, out.half_width.emplace_back(), out.error.emplace_back());

  const auto said = look_at(shown, c, readings);
  const auto edges = close.around(said, readings, c.mesh);
  out.mesh = c.mesh;
  out.sensors = readings.positions;
  out.width = edges.upper - edges.lower;
  out.outside = (c.fields - edges.upper).cwiseMax(edges.lower - c.fields).cwiseMax(0);
  out.share_outside = double((out.outside.array() > 0).count()) / double(out.outside.size());
  const auto given = seen.data().load(shown);
  const field::CaseUnits units(model.schema(), seen.data().schema(), given, "case \"" + given.name + "\"");
  units.into_data(out.width);
  units.into_data(out.outside);
  return out;
}

void add_trust(Page& page, const TrustPart& t, const field::Schema& schema) {
  page.heading("How wrong it may be");
  page.paragraph(t.guarantee);
  std::vector<Page::Figure> figures;
  if (t.cases > 0) {
    draw::Series observed{"observed", t.nominal, t.observed, true, false},
        fair{"as promised", t.nominal, t.nominal, true, true};
    figures.push_back({draw::line_chart({observed, fair}, {.title = "Reliability",
                                                           .x_label = "level that was asked for",
                                                           .y_label = "share of points inside the band"}),
                       fmt::format("of {} cases that neither trained nor calibrated", t.cases)});
    for (std::size_t c = 0; c < t.half_width.size(); ++c) {
      auto low = t.half_width[c].front(), high = t.half_width[c].back();
      // A width of one size is a dot; its line still needs two ends.
      if (!(high > low)) low = 0.9 * low, high = 1.1 * high;
      figures.push_back(
          {draw::line_chart({{"points of like width", t.half_width[c], t.error[c], false, false},
                             {"error = half width", {low, high}, {low, high}, true, true}},
                            {.title = "Width against error, " + schema.channels[c].name,
                             .x_label = with_unit("half the band's width", t.unit[c]),
                             .y_label = fmt::format("error that {:g} % stay below", 100 * t.level),
                             .log_x = low > 0 && high > 3 * low,
                             .log_y = low > 0 && high > 3 * low}),
           "each dot a twelfth of the points; below the line bands are wider than they need be there, above too narrow"});
    }
    page.figures(figures);
  }
  add_maps(page, t, schema);
  add_functionals(page, t);
}

}  // namespace fluidsplat::report

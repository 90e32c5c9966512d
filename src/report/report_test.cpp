// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/chart.h"
#include "report/html.h"
#include "report/picture.h"
#include "report/reconstruction_report.h"

namespace fluidsplat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

double luminance(const Rgb& c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c[0] / 255.0) + 0.7152 * linear(c[1] / 255.0) + 0.0722 * linear(c[2] / 255.0);
}

// What makes a map perceptual: lightness never turns back along a branch.
TEST(ColorMap, LightnessIsMonotoneAlongEachBranch) {
  for (int i = 0; i < 100; ++i) {
    const double t = i / 100.0, u = (i + 1) / 100.0;
    EXPECT_LE(luminance(color_at(ColorMap::sequential, t)), luminance(color_at(ColorMap::sequential, u)) + 2e-3) << t;
    const double left = luminance(color_at(ColorMap::diverging, t)),
                 right = luminance(color_at(ColorMap::diverging, u));
    if (u <= 0.5) {
      EXPECT_LE(left, right + 2e-3) << t;
    }
    if (t >= 0.5) {
      EXPECT_GE(left, right - 2e-3) << t;
    }
  }
  EXPECT_EQ(color_at(ColorMap::diverging, -5), color_at(ColorMap::diverging, 0));
  EXPECT_EQ(color_at(ColorMap::diverging, std::nan("")), (Rgb{128, 128, 128}));
}

TEST(ColorScale, IsSymmetricForSignedValuesAndSequentialOtherwise) {
  const field::Vector around = field::Vector::LinSpaced(1001, -3, 1), above = field::Vector::LinSpaced(1001, 2, 5);
  const auto a = scale_for(around), b = scale_for(above);
  EXPECT_EQ(a.map, ColorMap::diverging);
  EXPECT_EQ(a.low, -a.high);
  EXPECT_EQ(b.map, ColorMap::sequential);
  EXPECT_NEAR(b.low, 2, 0.05);
  // A stream with a little backflow is not a field about zero.
  EXPECT_EQ(scale_for(field::Vector::LinSpaced(1001, -0.2f, 1.3f)).map, ColorMap::sequential);
  EXPECT_EQ(scale_for(field::Vector::LinSpaced(1001, -1.3f, 0.2f)).map, ColorMap::sequential);
  EXPECT_GT(scale_for(field::Vector::Constant(5, 1.0f)).high, scale_for(field::Vector::Constant(5, 1.0f)).low);
}

field::Mesh small_grid() {
  field::Mesh mesh;
  mesh.grid_shape = {2, 3};
  mesh.points.resize(5, 2);
  for (int i = 0; i < 5; ++i) {  // the sixth cell, top right, has no data
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << float(i % 3), float(i / 3);
  }
  return mesh;
}

Rgb pixel(const io::Image& image, double x_share, double y_share) {
  const std::size_t column = x_share * image.width, row = y_share * image.height;
  const auto at = 3 * (row * static_cast<std::size_t>(image.width) + column);
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

TEST(Picture, CellsAreWhereTheyBelongAndNoDataIsGrey) {
  const auto mesh = small_grid();
  field::Vector values(5);
  values << -1, 0, 1, -1, 0;
  const ColorScale scale{ColorMap::diverging, -1, 1};
  const auto image = draw_field(mesh, values, scale, {.pixels_wide = 300, .sensors = {}, .ellipses = {}});
  EXPECT_EQ(pixel(image, 0.1, 0.9), color_at(ColorMap::diverging, 0)) << "cell (0, 0) is at the bottom left";
  EXPECT_EQ(pixel(image, 0.9, 0.9), color_at(ColorMap::diverging, 1));
  EXPECT_EQ(pixel(image, 0.97, 0.05), (Rgb{222, 222, 222})) << "no data";
  field::Matrix sensor(1, 2);
  sensor << 1, 0;
  const auto marked = draw_field(mesh, values, scale, {.pixels_wide = 300, .sensors = sensor, .ellipses = {}});
  EXPECT_NE(image.rgb, marked.rgb);
  EXPECT_EQ(pixel(marked, 0.5, 0.806), (Rgb{255, 196, 0})) << "gold where the sensor is";
}

// An ellipse along the diagonal must show at its own ends and not at those of its mirror image.
TEST(Picture, EllipsesLeanTheRightWay) {
  field::Mesh mesh;
  mesh.grid_shape = {11, 11};
  mesh.points.resize(121, 2);
  for (int i = 0; i < 121; ++i) {
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << float(i % 11), float(i / 11);
  }
  const auto image = draw_field(mesh, field::Vector::Zero(121), {},
                                {.pixels_wide = 220, .sensors = {}, .ellipses = {{5, 5, 4, 1, 0.785398}}});
  const auto dark_near = [&](double x, double y) {
    for (double dx = -0.02; dx <= 0.02; dx += 0.004)
      for (double dy = -0.02; dy <= 0.02; dy += 0.004)
        if (pixel(image, (x + 0.5) / 11 + dx, (10.5 - y) / 11 + dy) == Rgb{20, 20, 20}) return true;
    return false;
  };
  const double along = 4 * std::sqrt(0.5), across = std::sqrt(0.5);
  EXPECT_TRUE(dark_near(5 + along, 5 + along));
  EXPECT_TRUE(dark_near(5 - along, 5 - along));
  EXPECT_TRUE(dark_near(5 - across, 5 + across));
  EXPECT_FALSE(dark_near(5 + along, 5 - along));
  EXPECT_FALSE(dark_near(5 - along, 5 + along));
}

// Slices of a 3-D grid: the two axes that are left, in order, at the place that is asked for.
TEST(Picture, SlicesShowTheirOwnPlane) {
  field::Mesh mesh;
  const int n = 9;
  mesh.grid_shape = {n, n, n};
  mesh.points.resize(n * n * n, 3);
  for (int i = 0; i < n * n * n; ++i) {
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << float(i % n), float(i / n % n), float(i / (n * n));
  }
  const ColorScale scale{ColorMap::sequential, 0, n - 1};
  const Rgb low = color_at(ColorMap::sequential, 0), high = color_at(ColorMap::sequential, 1),
            middle = color_at(ColorMap::sequential, 0.5);
  for (int normal = 0; normal < 3; ++normal) {
    PictureOptions options;
    options.pixels_wide = 90;
    options.slice_normal = normal;
    const int across = normal == 0 ? 1 : 0, up = normal == 2 ? 1 : 2;
    const auto of_across = draw_field(mesh, mesh.points.col(across), scale, options);
    EXPECT_EQ(pixel(of_across, 0.05, 0.5), low) << normal;
    EXPECT_EQ(pixel(of_across, 0.95, 0.5), high) << normal;
    const auto of_up = draw_field(mesh, mesh.points.col(up), scale, options);
    EXPECT_EQ(pixel(of_up, 0.5, 0.95), low) << normal;
    EXPECT_EQ(pixel(of_up, 0.5, 0.05), high) << normal;
    EXPECT_EQ(pixel(draw_field(mesh, mesh.points.col(normal), scale, options), 0.5, 0.5), middle) << normal;
    options.slice_at = 1;
    EXPECT_EQ(pixel(draw_field(mesh, mesh.points.col(normal), scale, options), 0.5, 0.5), high) << normal;
  }
}

TEST(Chart, ShowsItsSeriesAndSurvivesBadNumbers) {
  const double nan = std::nan("");
  const auto svg = line_chart({{"a < b", {1, 2, 3}, {1, nan, 4}, true, false}, {"zero", {1, 2}, {0, 0}, true, true}},
                              {.title = "T & U", .x_label = "x", .y_label = "y", .log_y = true});
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, HasSubstr("T &amp; U"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_THAT(line_chart({}, {}), HasSubstr("</svg>"));
  EXPECT_THAT(line_chart({{"one", {5}, {5}, true, false}}, {}), Not(HasSubstr("nan")));
}

// Names stand above the plot, in as many rows as they need, and make the figure higher.
TEST(Chart, LegendsCoverNoCurve) {
  const auto height_of = [](int count) {
    std::vector<Series> series;
    for (int i = 0; i < count; ++i) series.push_back({"a name of some length", {1, 2}, {1, 2}, true, false});
    const auto svg = line_chart(series, {});
    const auto at = svg.find("height=\"") + 8;
    return std::stoi(svg.substr(at, svg.find('"', at) - at));
  };
  EXPECT_GT(height_of(1), height_of(0));
  EXPECT_EQ(height_of(2), height_of(1));
  EXPECT_GT(height_of(9), height_of(3));
}

TEST(Chart, TicksAreShort) {
  ChartOptions logarithmic;
  logarithmic.log_x = logarithmic.log_y = true;
  const auto log = line_chart({{"", {1, 1e8}, {1e-9, 1}, true, false}}, logarithmic);
  for (const char* label : {">1e-9<", ">1e-4<", ">0.001<", ">10000<", ">1e5<", ">1e8<"})
    EXPECT_THAT(log, HasSubstr(label));
  const auto linear = line_chart({{"", {0, 1e6}, {-3e-4, 0}, true, false}}, {});
  for (const char* label : {">2e5<", ">1e6<", ">-2e-4<", ">0<"}) EXPECT_THAT(linear, HasSubstr(label));
}

TEST(Histogram, CountsEveryValueOnce) {
  const auto svg = histogram({1, 1, 1, 2, 3}, 2, {.title = "h", .x_label = "x", .y_label = "y"});
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  // The bars' heights are as the counts: three and two.
  std::vector<double> heights;
  for (auto at = svg.find("<rect x="); at != std::string::npos; at = svg.find("<rect x=", at + 1)) {
    const auto bar = svg.substr(at, svg.find("/>", at) - at);
    if (bar.find("stroke=\"white\"") == std::string::npos) continue;
    const auto value = bar.find(" height=\"") + 9;
    heights.push_back(std::stod(bar.substr(value)));
  }
  ASSERT_EQ(heights.size(), 2u);
  EXPECT_NEAR(heights[0] / heights[1], 1.5, 0.01);
  EXPECT_THAT(histogram({4, 4, 4}, 5, {}), Not(HasSubstr("nan")));
  EXPECT_THAT(histogram({}, 5, {}), HasSubstr("</svg>"));
}

TEST(Report, IsOneSelfContainedPage) {
  ReconstructionReport r;
  r.title = "<b>title</b>";
  r.schema.channels = {{"w", "1/s"}};
  ShownCase c;
  c.caption = "Median";
  c.mesh = std::make_shared<field::Mesh>(small_grid());
  c.truth = c.scaffold = field::Matrix::Constant(5, 1, 2.0f);
  c.prediction = field::Matrix::Constant(5, 1, 1.5f);
  c.prediction(0, 0) = 1.75f;
  c.sensors = c.mesh->points.topRows(1);
  c.primitives = {{1, 1, 0.3, 0.2, 0.5}};
  r.cases = {c};
  r.test_time = {0, 1};
  r.test_error = {0.1, 0.2};
  r.loss_step = {1, 2};
  r.loss = {1, 0.1};
  r.validation = {0.5, 0.4};
  r.numbers = {{"quantity", "value"}, {"error", "0.15"}};
  const auto html = to_html(r);
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;title"));
  EXPECT_THAT(html, HasSubstr("data:image/png;base64,"));
  EXPECT_THAT(html, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("0.15"));
  EXPECT_THAT(html, HasSubstr("absolute error; colours 0 to 0.5 1/s"));
}

}  // namespace
}  // namespace fluidsplat::report

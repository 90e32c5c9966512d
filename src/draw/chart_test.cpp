// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::draw {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(Chart, AnAreaIsDrawnAndTheAxisHoldsIt) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto svg = line_chart({{"drag", {1, 2, 3}, {1, 1, 1}, true, false, {0.5, -inf, 0.5}, {4000, inf, 4000}}}, {});
  EXPECT_THAT(svg, AllOf(HasSubstr(" Z\" fill="), HasSubstr(">4000<"), Not(HasSubstr("inf"))));
  EXPECT_THAT(line_chart({{"drag", {1, 2, 3}, {1, 1, 1}, true, false}}, {}), Not(HasSubstr(" Z\"")));
  EXPECT_THAT(line_chart({{"drag", {1, 2, 3}, {1.36, 1.37, 1.38}, true, false}}, {}), HasSubstr(">1.37<"));
}

// Dots have nothing between them, so neither have their intervals.
TEST(Chart, DotsHaveABarEach) {
  const auto svg = line_chart({{"drag", {1, 2, 3}, {1, 1, 1}, false, false, {0.5, NAN, 0.5}, {4000, 1, 4000}}}, {});
  EXPECT_THAT(svg, AllOf(Not(HasSubstr(" Z\"")), HasSubstr(">4000<"), Not(HasSubstr("nan"))));
  std::size_t bars = 0;
  for (auto at = svg.find("opacity"); at != std::string::npos; at = svg.find("opacity", at + 1)) ++bars;
  EXPECT_EQ(bars, 2u);
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
  EXPECT_THAT(svg, AllOf(HasSubstr("\"end\">3</text>"), Not(HasSubstr("\"end\">2.5</text>"))))
      << "there is no half of a case";
  EXPECT_THAT(histogram({4, 4, 4}, 5, {}), Not(HasSubstr("nan")));
  EXPECT_THAT(histogram({}, 5, {}), HasSubstr("</svg>"));
}

TEST(LineChart, ALineEndsWhereTimeHasAGap) {
  const double gap = std::nan("");
  const auto paths = [](const std::vector<double>& x, const std::vector<double>& y) {
    const auto svg = line_chart({{"a", x, y}}, {.title = "t", .x_label = "", .y_label = ""});
    int moves = 0;
    for (std::size_t i = svg.find("<path"); i != svg.npos && i < svg.size() && svg[i] != '>'; ++i)
      moves += svg[i] == 'M';
    return moves;
  };
  EXPECT_EQ(paths({0, 1, 2, 3}, {0, 1, 2, 3}), 1);
  EXPECT_EQ(paths({0, 1, gap, 2, 3}, {0, 1, gap, 2, 3}), 2);
  EXPECT_EQ(paths({0, 1, 2, 3}, {0, gap, 2, 3}), 1) << "what is not known is left out";
}

}  // namespace
}  // namespace fluidsplat::draw

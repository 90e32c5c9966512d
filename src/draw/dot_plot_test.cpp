// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/dot_plot.h"

#include <gmock/gmock.h>

#include <limits>
#include <regex>

namespace fluidsplat::draw {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<double> places(const std::string& svg) {
  std::vector<double> out;
  const std::regex dot("<circle cx=\"([0-9.]+)\" cy=\"[0-9.]+\" r=\"5\" fill=\"#1f5fa8\" fill-opacity");
  for (std::sregex_iterator i(svg.begin(), svg.end(), dot), end; i != end; ++i) out.push_back(std::stod((*i)[1]));
  return out;
}

TEST(DotPlot, PlacesValuesByTheirLogarithm) {
  const auto svg = dot_plot({{"a", {0.001}}, {"b", {0.01}}, {"c", {0.1}}}, {"t", "error", {"clean"}});
  const auto x = places(svg);
  ASSERT_EQ(x.size(), 3);
  EXPECT_LT(x[0], x[1]);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.11) << "a factor of ten each";
  EXPECT_THAT(svg, HasSubstr(">0.01<"));
}

TEST(DotPlot, LeavesOutWhatHasNoPlaceAndEscapesText) {
  const auto svg = dot_plot({{"a < b", {0.0, std::numeric_limits<double>::quiet_NaN()}}, {"c", {1}}},
                            {"t & u", "error", {"clean", "noise"}});
  EXPECT_EQ(places(svg).size(), 1);
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace fluidsplat::draw

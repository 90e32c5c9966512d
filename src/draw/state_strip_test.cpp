// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/state_strip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fluidsplat::draw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(StateStrip, EqualStatesInARowAreOneBarAndOnlyWhatOccursIsInTheLegend) {
  const std::vector<StripState> states = {{"fine", "#00aa00"}, {"silent", "#888888"}, {"stuck", "#aa0000"}};
  const auto svg = state_strip({{"a & b", {0, 0, 0, 2, 2}}, {"c", {0, 0, 0, 0, 0}}}, states,
                               {.title = "sensors", .x_label = "time", .first = 0, .last = 4});
  EXPECT_THAT(svg, HasSubstr("a &amp; b"));
  EXPECT_THAT(svg, HasSubstr(">stuck<"));
  EXPECT_THAT(svg, Not(HasSubstr(">silent<")));
  int bars = 0;
  for (auto at = svg.find("fill=\"#aa0000\""); at != std::string::npos; at = svg.find("fill=\"#aa0000\"", at + 1))
    ++bars;
  EXPECT_EQ(bars, 2);  // one in the legend
  EXPECT_THAT(state_strip({}, states, {}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace fluidsplat::draw

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::importing {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::string& layout, const std::vector<Index>& shape, AxesHints hints) {
  try {
    read_axes(layout, shape, hints, "a.npy");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Axes, OneReadingIsTakenAndTwoAreAskedAbout) {
  const auto letters = [](std::vector<Index> shape, AxesHints hints) {
    return read_axes("", shape, hints, "a.npy").letters;
  };
  EXPECT_EQ(letters({20, 30, 40}, {}), "tyx");
  EXPECT_EQ(letters({30, 40}, {}), "yx");
  EXPECT_EQ(letters({20, 30, 40, 3}, {.channels = 3}), "tyxc");
  EXPECT_EQ(letters({20, 3, 30, 40}, {.channels = 3}), "tcyx");
  EXPECT_EQ(letters({6, 30, 40}, {.channels = 6}), "cyx");
  EXPECT_EQ(letters({20, 10, 30, 40}, {.channels = 1}), "tzyx");
  EXPECT_EQ(letters({20, 10, 30, 40, 3}, {.channels = 3}), "tzyxc");
  EXPECT_EQ(letters({20, 100, 3}, {.points = 100}), "tnc");
  EXPECT_EQ(letters({20, 100}, {.points = 100}), "tn");
  EXPECT_EQ(letters({100, 3}, {.points = 100}), "nc");
  EXPECT_EQ(letters({20, 3, 100}, {.channels = 3, .points = 100}), "tcn");

  // Never guessed: 3 layers or 3 channels, a frame of 3 columns or 3 channels, square data.
  EXPECT_THAT(error_of("", {20, 30, 40, 3}, {}), HasSubstr("layout = tyxc"));
  EXPECT_THAT(error_of("", {20, 30, 40, 3}, {}), HasSubstr("layout = tzyx"));
  EXPECT_THAT(error_of("", {20, 30, 3}, {}), HasSubstr("yxc"));
  EXPECT_THAT(error_of("", {3, 30, 3}, {.channels = 3}), HasSubstr("cyx"));
  EXPECT_THAT(error_of("", {20, 3, 30, 3}, {.channels = 3}), HasSubstr("tcyx"));
  EXPECT_THAT(error_of("", {5, 5, 5}, {.points = 5}), HasSubstr("tnc"));
}

TEST(Axes, WrongLayoutsSayWhatIsWrong) {
  EXPECT_THAT(error_of("tyx", {20, 30}, {}), HasSubstr("names 3 axes"));
  EXPECT_THAT(error_of("tyq", {20, 30, 40}, {}), HasSubstr("'q' is unknown"));
  EXPECT_THAT(error_of("tyy", {20, 30, 40}, {}), HasSubstr("twice"));
  EXPECT_THAT(error_of("tc", {20, 30}, {}), HasSubstr("n (points)"));
  EXPECT_THAT(error_of("tyn", {20, 30, 40}, {.points = 40}), HasSubstr("n (points)"));
  EXPECT_THAT(error_of("tn", {20, 30}, {}), HasSubstr("positions are not given"));
  EXPECT_THAT(error_of("tn", {20, 30}, {.points = 31}), HasSubstr("30 points"));
  EXPECT_THAT(error_of("tyxc", {20, 30, 40, 2}, {.channels = 3}), HasSubstr("3 channels are named"));
  EXPECT_THAT(error_of("", {20, 30, 40, 2}, {.channels = 3}), HasSubstr("(20, 30, 40, 2)"));
  EXPECT_THAT(error_of("tyx", {20, 0, 40}, {}), HasSubstr("empty"));
  EXPECT_THAT(error_of("", {7}, {}), HasSubstr("(7)"));
}

TEST(Axes, StridesFollowTheStoredOrder) {
  const auto axes = read_axes("xtyc", {5, 7, 4, 2}, {}, "a.npy");
  EXPECT_EQ(axes.stride('x'), 7 * 4 * 2);
  EXPECT_EQ(axes.stride('t'), 8);
  EXPECT_EQ(axes.stride('z'), 0);
  EXPECT_EQ(axes.extent('z'), 1);
  EXPECT_EQ(axes.place(), "yx");
  EXPECT_EQ(axes.place_as_stored(), "xy");
  EXPECT_EQ(axes.points(), 20);
}

}  // namespace
}  // namespace fluidsplat::importing

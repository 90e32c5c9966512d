// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fluidsplat::draw {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Axes, TicksAreRoundAndFewWhateverTheRange) {
  EXPECT_THAT(round_ticks(-0.3, 1.1), ElementsAre(0, DoubleNear(0.5, 1e-12), 1));
  EXPECT_THAT(round_ticks(0, 10), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(round_ticks(3, 3), ElementsAre(3));
  for (double size : {1e-9, 0.3, 7.0, 42.0, 1e8})
    for (double low : {-2.7, -1.0, 0.0, 0.31}) {
      const auto ticks = round_ticks(low * size, (low + 1) * size);
      EXPECT_GE(ticks.size(), 2u) << size << " " << low;
      EXPECT_LE(ticks.size(), 7u) << size << " " << low;
      EXPECT_GE(ticks.front(), low * size - 1e-6 * size);
      EXPECT_LE(ticks.back(), (low + 1) * size + 1e-6 * size);
    }
}

TEST(Axes, APictureHasNumbersAndUnitsAndNothingFromElsewhere) {
  const io::Image picture{40, 20, std::vector<std::uint8_t>(3 * 40 * 20, 100)};
  const auto svg = with_axes(picture, {0, 4, -1, 1, 0, 1}, "x (m)", "y <m>", "true u");
  EXPECT_THAT(svg, AllOf(HasSubstr(">x (m)</text>"), HasSubstr("y &lt;m&gt;"), HasSubstr(">4</text>"),
                         HasSubstr(">-1</text>"), HasSubstr("href=\"data:image/png;base64,"), HasSubstr("true u")));
  EXPECT_THAT(color_bar({ColorMap::sequential, 0, 2}, "u (m/s)"),
              AllOf(HasSubstr("u (m/s)"), HasSubstr(">0.5</text>"), HasSubstr(">2</text>")));
}

}  // namespace
}  // namespace fluidsplat::draw

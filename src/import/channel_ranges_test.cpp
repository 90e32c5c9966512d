// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/channel_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ChannelRanges ranges_of(const std::vector<float>& values) {
  field::Schema schema;
  schema.channels = {{"T", ""}};
  ChannelRanges out(schema);
  for (float v : values) out.add(field::Matrix::Constant(1, 1, v));  // as if in cases of their own
  return out;
}

std::string refusal(const std::vector<float>& values) {
  try {
    ranges_of(values).refuse_fill_values();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(ChannelRanges, TheUsualFillValuesAreRefused) {
  for (float fill : {9.96920996838687e36f, -9.96920996838687e36f, 1e20f, 1e30f, -9999.f, -999.f})
    EXPECT_THAT(refusal({10, 20, fill, 15, fill}), AllOf(HasSubstr("2 values of \"T\""), HasSubstr("10 to 20"),
                                                         HasSubstr(fmt::format("no_data = {} ", fill))));
  EXPECT_THAT(refusal({-5, 1e20f, -999}), HasSubstr("no_data = -999,1e+20 "));
}

TEST(ChannelRanges, ANumberAmongItsLikeIsData) {
  EXPECT_EQ(refusal({-2000, -999, 500}), "");
  EXPECT_EQ(refusal({-900, -999, 9999, 7000}), "");
  EXPECT_EQ(refusal({101300, 99999, 101325}), "") << "pressure that hardly varies";
  EXPECT_EQ(refusal({-999, -999}), "") << "nothing else: a constant";
}

TEST(ChannelRanges, ConstantAndInfiniteValuesAreSaid) {
  EXPECT_THAT(ranges_of({3, 3, 3}).notes(), ElementsAre(HasSubstr("\"T\" is constant: 3")));
  EXPECT_THAT(ranges_of({0, 0}).notes(), ElementsAre(HasSubstr("constant: 0")));
  EXPECT_THAT(ranges_of({1, 2, std::numeric_limits<float>::infinity()}).notes(),
              ElementsAre(HasSubstr("1 value is infinite")));
  EXPECT_THAT(ranges_of({1, 2, std::numeric_limits<float>::quiet_NaN()}).notes(), IsEmpty());
}

}  // namespace
}  // namespace fluidsplat::importing

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfrans_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::benchmarks {
namespace {

TEST(AirfransName, BothSeriesAreReadAndWrittenBack) {
  const AirfransName four{58.831, -3.563, {2.815, 4.916, 10.078}};
  EXPECT_EQ(parse_airfrans_name("airFoil2D_SST_58.831_-3.563_2.815_4.916_10.078"), four);
  EXPECT_EQ(to_string(four), "airFoil2D_SST_58.831_-3.563_2.815_4.916_10.078");
  const AirfransName five{46, 9.78, {3.941, 5.424, 1, 16.283}};
  EXPECT_EQ(parse_airfrans_name("airFoil2D_SST_46.0_9.78_3.941_5.424_1.0_16.283"), five);
  EXPECT_EQ(to_string(five), "airFoil2D_SST_46.0_9.78_3.941_5.424_1.0_16.283") << "as the published names are written";
}

TEST(AirfransName, OtherNamesAreRefusedWithWhatIsWrong) {
  for (const auto* name : {"", "cylinder_1", "airFoil2D_SST_", "airFoil2D_SST_40_3_2_4",
                           "airFoil2D_SST_40_3_2_4_1_0_12", "airFoil2D_SST_40_x_2_4_12", "airFoil2D_SST_40_3_2_4_12_",
                           "airFoil2D_SST_-4_3_2_4_12", "airFoil2D_SST_40_3_2_4_nan", "airFoil2D_SST_40__2_4_12"}) {
    EXPECT_THROW(parse_airfrans_name(name), Error) << name;
  }
  try {
    parse_airfrans_name("airFoil2D_SST_40_x_2_4_12");
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("\"x\" is not a number"));
  }
}

}  // namespace
}  // namespace fluidsplat::benchmarks

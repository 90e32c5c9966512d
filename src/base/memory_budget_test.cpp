// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace fluidsplat {
namespace {

TEST(MemoryBudget, AmountsOfMemoryAreRead) {
  EXPECT_EQ(parse_bytes("2GB", "b"), 2'000'000'000u);
  EXPECT_EQ(parse_bytes("1.5 GB", "b"), 1'500'000'000u);
  EXPECT_EQ(parse_bytes("500MB", "b"), 500'000'000u);
  EXPECT_EQ(parse_bytes("2GiB", "b"), std::size_t{2} << 30);
  EXPECT_EQ(parse_bytes("123456", "b"), 123456u);
  EXPECT_EQ(parse_bytes("0", "b"), 0u);
  for (const char* wrong : {"", "GB", "2 gigs", "-1GB", "nan", "inf", "1e300GB", "2GB2"})
    EXPECT_THAT([&] { parse_bytes(wrong, "train.memory_budget"); },
                ::testing::ThrowsMessage<Error>(::testing::HasSubstr("train.memory_budget")))
        << wrong;
  EXPECT_EQ(bytes_text(1'500'000'000), "1.50 GB");
}

TEST(MemoryBudget, WhatIsTouchedIsResident) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const auto before = resident_bytes();
  const std::vector<char> touched(kBytes, 1);
  EXPECT_GT(resident_bytes(), before + kBytes * 9 / 10);
  EXPECT_GE(most_resident_bytes(), resident_bytes() - kBytes / 10);
}

TEST(MemoryBudget, DataGetWhatEverythingElseLeaves) {
  constexpr std::size_t kData = std::size_t{64} << 20, kOther = std::size_t{32} << 20;
  const auto program = resident_bytes();
  MemoryBudget budget(program + 2 * kData);
  for (int step = 0; step < 4; ++step) EXPECT_LT(budget.room(0), kData);
  const auto alone = budget.room(0);
  EXPECT_LT(alone, 2 * kData);
  EXPECT_GT(alone, kData);
  const std::vector<char> data(kData, 1);
  EXPECT_NEAR(double(budget.room(kData)), double(alone), double(kData) / 8) << "data are not everything else";
  const std::vector<char> other(kOther, 1);
  EXPECT_NEAR(double(budget.room(kData)), double(alone - kOther), double(kData) / 8);
  EXPECT_EQ(MemoryBudget(program / 2).room(0), 0u);
}

TEST(MemoryBudget, TellsWhenItWasNotKept) {
  EXPECT_EQ(excess_text(400'000'000, 440'000'000), "");
  EXPECT_EQ(excess_text(400'000'000, 1'000), "");
  EXPECT_THAT(excess_text(250'000'000, 296'000'000),
              testing::AllOf(testing::HasSubstr("up to 296 MB"), testing::HasSubstr("budget of 250 MB"),
                             testing::HasSubstr("at least 326 MB")));
}

}  // namespace
}  // namespace fluidsplat

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/made_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace fluidsplat {
namespace {

using Squares = MadeAhead<Index, Index>;

std::optional<Index> up_to_99(const Index& key) {
  return key < 99 ? std::optional<Index>(key + 1) : std::nullopt;
}

TEST(MadeAhead, GivesTheValuesInAnyOrderOfKeys) {
  Squares squares([](const Index& k) { return k * k; }, up_to_99, 4);
  for (Index k = 0; k < 100; ++k) ASSERT_EQ(squares.take(k), k * k);
  for (const Index k : {5, 6, 50, 51, 2, 2, 99, 99, 0}) ASSERT_EQ(squares.take(k), k * k);
}

TEST(MadeAhead, MakesNoMoreThanWait) {
  std::atomic<Index> made = 0;
  Squares squares(
      [&](const Index& k) {
        ++made;
        return k;
      },
      up_to_99, 3);
  EXPECT_EQ(squares.take(0), 0);
  for (int wait = 0; wait < 2000 && made < 4; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(made, 4) << "what was taken, and three that wait";
}

TEST(MadeAhead, AFailureIsThrownWhereItIsAskedForAndMayBeTriedAgain) {
  std::atomic<bool> fails = true;
  Squares squares(
      [&](const Index& k) {
        if (k == 3 && fails) throw std::runtime_error("three");
        return k;
      },
      up_to_99, 8);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(squares.take(k), k);
  EXPECT_THROW(squares.take(3), std::runtime_error);
  fails = false;
  EXPECT_EQ(squares.take(3), 3);
  EXPECT_EQ(squares.take(4), 4);
}

}  // namespace
}  // namespace fluidsplat

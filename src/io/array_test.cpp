// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/array.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

TEST(Array, ConvertsBetweenTypes) {
  const Array array = Array::from<std::int16_t>({2, 2}, std::vector<std::int16_t>{-3, 0, 7, 300});
  EXPECT_EQ(array.dtype, DType::i16);
  EXPECT_EQ(array.as<double>(), (std::vector<double>{-3, 0, 7, 300}));
  EXPECT_EQ(array.as<std::int64_t>(), (std::vector<std::int64_t>{-3, 0, 7, 300}));
  const bool flags[] = {true, false};
  EXPECT_EQ((Array::from<bool>({2}, std::span<const bool>(flags)).as<float>()), (std::vector<float>{1, 0}));
}

TEST(Array, RefusesValuesThatTheTypeCannotHold) {
  const auto negative = Array::from<std::int16_t>({1}, std::vector<std::int16_t>{-1});
  EXPECT_THROW(negative.as<std::uint64_t>(), Error);
  for (double bad : {1.5, 256.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    const auto array = Array::from<double>({1}, std::vector<double>{bad});
    EXPECT_THROW(array.as<std::uint8_t>(), Error) << bad;
  }
  const auto edge = Array::from<double>({1}, std::vector<double>{9223372036854775808.0});
  EXPECT_THROW(edge.as<std::int64_t>(), Error);
  EXPECT_EQ(edge.as<std::uint64_t>()[0], std::uint64_t{1} << 63);
}

TEST(Array, CountsAreChecked) {
  using Shape = std::vector<std::int64_t>;
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_EQ(checked_count(Shape{}, "x"), 1);
  EXPECT_EQ(checked_count(Shape{4, 0, 3}, "x"), 0);
  EXPECT_THROW(checked_count(Shape{-1, 2}, "x"), Error);
  EXPECT_THROW(checked_count(Shape{-1, -1}, "x"), Error);
  EXPECT_THROW(checked_count(Shape{huge, huge}, "x"), Error);
  EXPECT_THROW(checked_count(Shape{0, huge, huge}, "x"), Error) << "strides would overflow";
  EXPECT_THROW(Array::from<float>({3}, std::vector<float>{1, 2}), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::io

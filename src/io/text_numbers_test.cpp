// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/text_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

Table parse(const char* text) {
  return parse_text_numbers(text, "t.dat");
}

TEST(TextNumbers, WithNamesAndWithout) {
  EXPECT_THAT(parse("x y u\n0 1 2\n3 4 5\n").header, ElementsAre("x", "y", "u"));
  EXPECT_THAT(parse("# x y u\n0 1 2\n").header, ElementsAre("x", "y", "u"));
  EXPECT_THAT(parse("x, \"U (m/s)\" , p\n0,1,2\n").header, ElementsAre("x", "U (m/s)", "p"));
  EXPECT_THAT(parse("0 1 2\n3 4 5\n").header, IsEmpty());
  const auto table = parse("% made by hand\n% x\ty\n\n 0\t1e3 \r\n// half way\n+3.5  -4D-2\n");
  EXPECT_THAT(table.header, ElementsAre("x", "y"));
  EXPECT_THAT(table.columns, ElementsAre(ElementsAre(0, 3.5), ElementsAre(1000, -0.04)));
}

TEST(TextNumbers, EmptyCellsHaveNoData) {
  const auto table = parse("a,b,c\n1,,3\n4,nan,6\n");
  EXPECT_TRUE(std::isnan(table.columns[1][0]));
  EXPECT_TRUE(std::isnan(table.columns[1][1]));
}

TEST(TextNumbers, DecimalCommasStandBetweenSemicolons) {
  const auto table = parse("x;y;u\n0,5;-1,25e-1;3\n1,5;2;\n");
  EXPECT_THAT(table.header, ElementsAre("x", "y", "u"));
  EXPECT_THAT(table.columns[0], ElementsAre(0.5, 1.5));
  EXPECT_THAT(table.columns[1], ElementsAre(-0.125, 2));
  EXPECT_TRUE(std::isnan(table.columns[2][1]));
  EXPECT_THAT([] { parse("x;y\n1,000,000;2\n"); }, ThrowsMessage<Error>(HasSubstr("no row of numbers")));
}

TEST(TextNumbers, ErrorsNameTheLine) {
  EXPECT_THAT([] { parse("x y\n1 2\n3\n"); }, ThrowsMessage<Error>(HasSubstr("t.dat:3")));
  EXPECT_THAT([] { parse("x y\n1 2\n3 four\n"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("t.dat:3"), HasSubstr("four"))));
  EXPECT_THAT([] { parse("# nothing\n"); }, ThrowsMessage<Error>(HasSubstr("no row of numbers")));
  EXPECT_THAT([] { parse_text_numbers(std::string("\x89HDF\0\n", 6), "t.dat"); },
              ThrowsMessage<Error>(HasSubstr("t.dat: is no plain text")));
  EXPECT_THAT([] { parse("x x\n1 2\n"); }, ThrowsMessage<Error>(HasSubstr("two columns are called \"x\"")));
}

}  // namespace
}  // namespace fluidsplat::io

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Table parse(const std::string& text) {
  return parse_csv(text, "t.csv");
}

TEST(Csv, FindsTheSeparator) {
  for (const char* text :
       {"x,y\n1,-2.5\n3e2,4\n", "x;y\n1;-2.5\n3e2;4\n", "x\ty\n1\t-2.5\n3e2\t4\n", "x y\n 1  -2.5\n3e2\t 4 \n",
        "  x   y\n1 -2.5\n3e2 4", "\xef\xbb\xbf# note\r\n\r\nx , y\r\n1 , -2.5\r\n# more, of it\r\n+3e2, 4\r\n"}) {
    const Table table = parse(text);
    EXPECT_THAT(table.header, ElementsAre("x", "y")) << text;
    EXPECT_THAT(table.column("x"), ElementsAre(1, 300)) << text;
    EXPECT_THAT(table.column("y"), ElementsAre(-2.5, 4)) << text;
    EXPECT_EQ(table.rows(), 2u);
  }
}

TEST(Csv, QuotesAndMissingValues) {
  const Table table = parse("\"a, b\",\"say \"\"hi\"\"\",c,d,e\n\"1\",,NA,nan,NaN\n1,2,3,4,\n");
  EXPECT_THAT(table.header, ElementsAre("a, b", "say \"hi\"", "c", "d", "e"));
  EXPECT_EQ(table.columns[0][0], 1);
  for (int i = 1; i < 5; ++i) EXPECT_TRUE(std::isnan(table.columns[i][0])) << i;
  EXPECT_TRUE(std::isnan(table.columns[4][1]));
}

TEST(Csv, ErrorsNameFileLineAndColumn) {
  EXPECT_THAT([] { parse("time,p\n# c\n0,1\n1,high\n"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("t.csv:4"), HasSubstr("'p'"), HasSubstr("'high'"))));
  EXPECT_THAT([] { parse("a,b\n1,2\n1,2,3\n"); }, ThrowsMessage<Error>(HasSubstr("t.csv:3")));
  EXPECT_THAT([] { parse("a,b\n1\n"); }, ThrowsMessage<Error>(HasSubstr("t.csv:2")));
  EXPECT_THAT([] { parse("a,b\n\"1,2\n"); }, ThrowsMessage<Error>(HasSubstr("quote")));
  EXPECT_THAT([] { parse("a,b\n\"1\"x,2\n"); }, ThrowsMessage<Error>(HasSubstr("quote")));
  EXPECT_THAT([] { parse("1,2\n3,4\n"); }, ThrowsMessage<Error>(HasSubstr("name the columns")));
  EXPECT_THAT([] { parse("# nothing\n\n"); }, ThrowsMessage<Error>(HasSubstr("empty")));
  EXPECT_THAT([] { parse(std::string("a,b\n1,\0\n", 9)); }, ThrowsMessage<Error>(HasSubstr("t.csv: is no plain text")));
  for (const char* bad : {"1.5.2", "0x10", "1,5", "--1", "+-1", "1e999", "-", "+", "1 2"})
    EXPECT_THROW(parse(std::string("a;b\n1;") + bad + "\n"), Error) << bad;
}

TEST(Csv, AMissingColumnNamesTheNearest) {
  const Table table = parse("time,pressure\n0,1\n");
  EXPECT_THAT([&] { table.column("presure"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("t.csv"), HasSubstr("did you mean 'pressure'"))));
  EXPECT_THROW(table.column("zzzzzzzzzzzz"), Error);
}

TEST(Csv, RoundTripIsExact) {
  TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Table table{{"t", "a b", "q\"uote", "x,y"},
              {{0.1, 1e-300, nan}, {1.0 / 3, -0.0, 1e22}, {nan, nan, 5e-324}, {1, INFINITY, -INFINITY}},
              "made"};
  write_csv(folder / "t.csv", table);
  const Table back = read_csv(folder / "t.csv");
  EXPECT_EQ(back.header, table.header);
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) {
      const double x = table.columns[c][r], y = back.columns[c][r];
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << c << " " << r;
    }
  EXPECT_EQ(parse(to_csv({{"only"}, {{nan, 2}}, ""})).rows(), 2u);
  EXPECT_THROW(to_csv({{"a", "b"}, {{1}}, ""}), Error);
  EXPECT_THROW(to_csv({{"a", "b"}, {{1}, {1, 2}}, ""}), Error);
}

TEST(Csv, ADecimalCommaLocaleChangesNothing) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, name);
  const Table table = parse("a,b\n1.5,2\n");
  EXPECT_EQ(table.columns[0][0], 1.5);
  EXPECT_EQ(to_csv(table), "a,b\n1.5,2\n");
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Csv, TextCellsStayText) {
  TemporaryFolder folder;
  write_file(folder / "t.csv", "sensor,channel\np1,\"u, v\"\np2,\n");
  const TextTable table = read_text_csv(folder / "t.csv");
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("p1", "u, v"), ElementsAre("p2", "")));
}

TEST(Csv, ColumnsOfOneNameAreRefused) {
  EXPECT_THAT([] { parse("a,b,a\n1,2,3\n"); }, ThrowsMessage<Error>(HasSubstr("two columns are called \"a\"")));
}

}  // namespace
}  // namespace fluidsplat::io

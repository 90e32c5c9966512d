// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/reading_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace fluidsplat::reconstruct {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

field::Schema schema() {
  field::Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"u", ""}, {"p", ""}};
  s.descriptors = {{"angle", "deg"}};
  return s;
}

field::SensorLayout layout() {
  field::SensorLayout l;
  l.positions = field::Matrix::Zero(3, 2);
  l.channels = {{0, 1}, {1}, {1}};
  l.names = {"nose", "", "tail"};
  return l;
}

std::string error_of(const std::string& text) {
  try {
    parse_readings(io::parse_csv(text, "r.csv"), schema(), layout());
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(ReadingTable, ColumnsAreNamedBySensorAndChannel) {
  EXPECT_THAT(reading_columns(schema(), layout()), ElementsAre("nose.u", "nose.p", "s2.p", "tail.p"));
  auto one = schema();
  one.channels = {{"p", ""}};
  auto l = layout();
  l.channels = {{0}, {0}, {0}};
  EXPECT_THAT(reading_columns(one, l), ElementsAre("nose.p", "s2.p", "tail.p"))
      << "one spelling, however many channels";
}

// Whoever has one sensor file for several models should not have to spell its columns in two ways.
TEST(ReadingTable, TheChannelMayBeNamedOrNotWhereThereIsOnlyOne) {
  const auto t =
      parse_readings(io::parse_csv("nose.u,nose.p,s2,tail,angle\n1,2,3,4,10\n", "r.csv"), schema(), layout());
  EXPECT_EQ(t.values[0](1, 1), 3);
  EXPECT_EQ(t.values[0](2, 1), 4);
  auto one = schema();
  one.channels = {{"p", ""}};
  auto l = layout();
  l.channels = {{0}, {0}, {0}};
  EXPECT_EQ(parse_readings(io::parse_csv("nose.p,s2,tail.p,angle\n1,2,3,10\n", "r.csv"), one, l).values[0](0, 0), 1);
  EXPECT_THAT(error_of("nose,angle\n1,2\n"), HasSubstr("unknown column \"nose\"")) << "it measures two channels";
  EXPECT_THAT(error_of("tail,tail.p,angle\n1,2,3\n"), HasSubstr("\"tail.p\" and \"tail\" mean the same"));
}

// Else the times would be taken for what it measures.
TEST(ReadingTable, ASensorMayBeCalledTime) {
  auto l = layout();
  l.names[2] = "time";
  const auto t = parse_readings(io::parse_csv("time,nose.u,angle\n5,1,10\n", "r.csv"), schema(), l);
  EXPECT_THAT(t.silent, ElementsAre("nose.p", "s2.p", "time.p"));
  EXPECT_EQ(parse_readings(io::parse_csv("time,time.p,angle\n5,1,10\n", "r.csv"), schema(), l).values[0](2, 1), 1);
}

TEST(ReadingTable, GoesThereAndBack) {
  const auto t = parse_readings(io::parse_csv("tail.p,time,nose.u,angle,nose.p\n7,0.5,1,10,2\n,1.5,3,20,NA\n", "r.csv"),
                                schema(), layout());
  EXPECT_THAT(t.silent, ElementsAre("s2.p"));
  EXPECT_THAT(t.times, ElementsAre(0.5, 1.5));
  EXPECT_EQ(t.values[0](0, 0), 1);
  EXPECT_EQ(t.values[0](0, 1), 2);
  EXPECT_EQ(t.values[0](2, 1), 7);
  EXPECT_TRUE(std::isnan(t.values[0](2, 0))) << "the tail does not see u";
  EXPECT_TRUE(std::isnan(t.values[1](2, 1)) && std::isnan(t.values[1](0, 1)));
  EXPECT_EQ(t.descriptors[1][0], 20);
  const auto again = parse_readings(to_table(t, schema(), layout()), schema(), layout());
  EXPECT_EQ(again.times, t.times);
  EXPECT_EQ(again.values[0](2, 1), 7);
  EXPECT_EQ(again.descriptors[0][0], 10);
}

TEST(ReadingTable, ErrorsNameFileRowAndColumn) {
  EXPECT_THAT(error_of("angle,nose.v\n1,2\n"), HasSubstr("unknown column \"nose.v\", did you mean \"nose.u\"?"));
  EXPECT_THAT(error_of("angle,nose.u\n1,inf\n"), HasSubstr("row 1, column \"nose.u\" is infinite"));
  EXPECT_THAT(error_of("angle,nose.u\n1,\n"), HasSubstr("nothing was said in any of its 1 rows"));
  EXPECT_THAT(error_of("nose.u\n1\n"), HasSubstr("does not say \"angle\""));
  EXPECT_THAT(error_of("angle,nose.u\n"), HasSubstr("no rows"));
  EXPECT_THAT(error_of("time,angle,nose.u\n,1,2\n"), HasSubstr("row 1 has no time"));
}

// Meshes differ, so a row must say which one it speaks of.
TEST(ReadingTable, RowsNameTheirMesh) {
  field::MemoryDataset one(schema(), "one.h5"), two(schema(), "two.h5");
  const auto add = [](field::MemoryDataset& data) {
    field::Case c;
    auto mesh = std::make_shared<field::Mesh>();
    mesh->points = field::Matrix::Random(4, 2);
    c.mesh = mesh;
    c.fields = field::Matrix::Zero(4, 2);
    c.descriptors = field::Vector::Zero(1);
    data.add(c);
  };
  add(one);
  add(two);
  add(two);
  const auto parse = [](const std::string& text) {
    return parse_readings(io::parse_csv(text, "r.csv"), schema(), layout());
  };
  const auto said = parse("mesh,angle,nose.u\n1,5,2\n0,5,3\n7,5,3\n"), silent = parse("angle,nose.u\n5,2\n");
  EXPECT_EQ(mesh_of_row(said, 0, two, "r.csv"), 1);
  EXPECT_EQ(mesh_of_row(said, 1, two, "r.csv"), 0);
  EXPECT_EQ(mesh_of_row(silent, 0, one, "r.csv"), 0);
  EXPECT_THAT(parse_readings(to_table(said, schema(), layout()), schema(), layout()).meshes, ElementsAre(1, 0, 7));
  const auto refusal = [&](const ReadingTable& table, std::size_t row) {
    try {
      mesh_of_row(table, row, two, "r.csv");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(said, 2), HasSubstr("r.csv: row 3 speaks of mesh 7; two.h5 has meshes 0 to 1"));
  EXPECT_THAT(refusal(silent, 0), HasSubstr("two.h5 has 2 meshes: choose one, or say which row by row"));
  EXPECT_THAT(error_of("mesh,angle,nose.u\n0.5,1,2\n"), HasSubstr("row 1, column \"mesh\""));
}

}  // namespace
}  // namespace fluidsplat::reconstruct

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/sensor_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Two named sensors in the plane, which see both of two channels.
SensorLayout two_sensors() {
  SensorLayout layout;
  layout.positions.resize(2, 2);
  layout.positions << 4, 0, 5, 0.1f;
  layout.channels = {{0, 1}, {1}};
  layout.names = {"nose", ""};
  return layout;
}

SensorLayout read(const nlohmann::json& json) {
  return layout_from_json(json, 2, 2, "file, \"sensors\"");
}

std::string complaint(const nlohmann::json& json) {
  try {
    read(json);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(SensorLayout, SurvivesJson) {
  auto layout = two_sensors();
  layout.mean_readings.resize(2, 2);
  layout.mean_readings << 1, 2, 3, 0.3f;
  const auto back = read(to_json(layout));
  EXPECT_EQ(back.positions, layout.positions);
  EXPECT_EQ(back.channels, layout.channels);
  EXPECT_EQ(back.names, layout.names);
  EXPECT_EQ(back.mean_readings, layout.mean_readings);
  EXPECT_TRUE(back.arclengths.empty());
  EXPECT_FALSE(back.redraw.has_value());
}

TEST(SensorLayout, PlacesThatFollowTheMeshSurviveJson) {
  auto layout = two_sensors();
  layout.arclengths = {0.1, 0.6};
  EXPECT_EQ(read(to_json(layout)).arclengths, layout.arclengths);
  layout.arclengths.clear();
  layout.redraw = SensorLayout::Redraw{12, true};
  const auto back = read(to_json(layout));
  ASSERT_TRUE(back.redraw.has_value());
  EXPECT_EQ(back.redraw->seed, 12u);
  EXPECT_TRUE(back.redraw->on_wall);
  EXPECT_FALSE(back.redraw->torch);
  layout.redraw->torch = true;
  EXPECT_TRUE(read(to_json(layout)).redraw->torch);
}

TEST(SensorLayout, MeanReadingsHadAnotherNameInTheFirstSchema) {
  auto json = to_json(two_sensors());
  json.erase("mean_readings");
  json["usual"] = {{1, 2}, {3, 4}};
  EXPECT_EQ(read(json).mean_readings(1, 0), 3);
}

TEST(SensorLayout, BadJsonIsAnErrorThatNamesTheFileAndTheEntry) {
  const auto good = to_json(two_sensors());
  EXPECT_EQ(complaint(good), "");
  const auto spoiled = [&](const char* name, const nlohmann::json& value) {
    auto bad = good;
    bad[name] = value;
    return complaint(bad);
  };
  EXPECT_THAT(spoiled("channels", {{7}, {0}}), AllOf(HasSubstr("file, \"sensors\""), HasSubstr("channel 7")));
  EXPECT_THAT(spoiled("channels", {{0}}), HasSubstr("1 channel lists for 2 sensors"));
  EXPECT_THAT(spoiled("positions", {{1}, {2}}), HasSubstr("2 coordinates"));
  EXPECT_THAT(spoiled("positions", {{1, "x"}, {2, 2}}), HasSubstr("not a finite number"));
  EXPECT_THAT(spoiled("names", {"one"}), HasSubstr("1 names for 2 sensors"));
  EXPECT_THAT(spoiled("mean_readings", {{1, 2}}), HasSubstr("1 of 2 sensors"));
  EXPECT_THAT(spoiled("arclengths", {0.1}), HasSubstr("2 arclengths"));
  EXPECT_THAT(spoiled("arclengths", {0.1, 7}), HasSubstr("arclength 7"));
  EXPECT_THAT(spoiled("redraw", {{"seed", "x"}, {"on_wall", true}}), HasSubstr("\"redraw\""));
  auto bad = good;
  bad.erase("channels");
  EXPECT_THAT(complaint(bad), HasSubstr("\"channels\" is missing"));
}

TEST(SensorLayout, LabelsHaveTheNumberAndTheName) {
  const auto layout = two_sensors();
  EXPECT_EQ(layout.label(0), "sensor 1 \"nose\"");
  EXPECT_EQ(layout.label(1), "sensor 2");
}

}  // namespace
}  // namespace fluidsplat::model

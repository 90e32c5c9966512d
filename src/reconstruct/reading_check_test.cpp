// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/reading_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"

namespace fluidsplat::reconstruct {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Index kSensors = 6;

// A wave that passes six sensors, as readings of pressure around 5.
field::Matrix wave(double phase, double noise = 0, std::uint64_t seed = 1) {
  Random random(seed);
  field::Matrix out(kSensors, 1);
  for (Index i = 0; i < kSensors; ++i)
    out(i, 0) = float(5 + (1 + 0.2 * double(i)) * std::sin(0.9 * double(i) - phase) + noise * random.normal());
  return out;
}

class ReadingCheckTest : public testing::Test {
 protected:
  ReadingCheckTest() {
    schema_.coordinates = {{"x", "m"}, {"y", "m"}};
    schema_.channels = {{"p", "Pa"}};
    layout_ = field::make_layout(field::Matrix::Random(kSensors, 2), {0});
    for (int k = 0; k < 30; ++k) cases_.push_back(wave(0.7 * k));
    known_ = learn_readings(cases_, layout_, true, true);
  }
  std::string about(const field::Matrix& values, bool own = true) {
    return ReadingCheck(known_, schema_, layout_, own).about(values);
  }

  field::Schema schema_;
  field::SensorLayout layout_;
  std::vector<field::Matrix> cases_;
  KnownReadings known_;
};

TEST_F(ReadingCheckTest, WhatTrainingSawPasses) {
  for (int k = 0; k < 200; ++k) {
    EXPECT_EQ(about(wave(0.13 * k)), "") << "phase " << 0.13 * k;
    EXPECT_EQ(about(wave(0.13 * k, 0.05, k)), "") << "with noise, phase " << 0.13 * k;
  }
}

TEST_F(ReadingCheckTest, AValueFarOutsideIsNamedAndTheOthersAreNotBlamed) {
  auto values = wave(1);
  values(2, 0) = 1e6f;
  EXPECT_THAT(about(values),
              AllOf(HasSubstr("far outside"), HasSubstr("s3.p = 1e+06"), Not(HasSubstr("s4")), Not(HasSubstr("fit"))));
  EXPECT_THAT(about(wave(1) * 101325.0f), AllOf(HasSubstr("far outside"), HasSubstr("s1"), HasSubstr("and 2 more")));
}

TEST_F(ReadingCheckTest, AReadingThatDoesNotFollowFromTheOthersIsNamed) {
  auto values = wave(1);
  const float right = values(3, 0);
  values(3, 0) = right > 5 ? right - 1.5f : right + 1.5f;  // well within its range
  EXPECT_THAT(about(values), AllOf(HasSubstr("s4.p = "), HasSubstr("does not fit"), Not(HasSubstr("far outside")),
                                   Not(HasSubstr("s3")), Not(HasSubstr("s5"))));
}

TEST_F(ReadingCheckTest, ColumnsInAnotherOrderAreNoticed) {
  int noticed = 0;
  for (int k = 0; k < 20; ++k) {
    const field::Matrix values = wave(0.31 * k).colwise().reverse();
    noticed += about(values) != "";
  }
  EXPECT_GE(noticed, 16) << "of 20 rows";
}

TEST_F(ReadingCheckTest, SilentSensorsAreNoReasonToDoubt) {
  for (int k = 0; k < 20; ++k) {
    auto values = wave(0.31 * k);
    values(k % 6, 0) = values((k + 2) % 6, 0) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(about(values), "");
  }
}

TEST_F(ReadingCheckTest, OtherSensorsAreHeldAgainstTheirChannel) {
  EXPECT_EQ(about(wave(1).colwise().reverse(), false), "");
  EXPECT_THAT(about(wave(1) * 1000.0f, false), HasSubstr("far outside"));
}

TEST_F(ReadingCheckTest, SensorsThatHardlyChangeAreNoticedOverManyRows) {
  const ReadingCheck check(known_, schema_, layout_, true);
  std::vector<field::Matrix> rows;
  for (int k = 0; k < 20; ++k) rows.push_back(wave(0.3 * k));
  EXPECT_EQ(check.about_changes(rows), "");
  for (auto& r : rows) r(1, 0) = 5.01f;
  EXPECT_THAT(check.about_changes(rows), AllOf(HasSubstr("hardly changes"), HasSubstr("s2"), Not(HasSubstr("s3"))));
  rows.resize(3);
  EXPECT_EQ(check.about_changes(rows), "") << "three rows tell nothing";
}

TEST_F(ReadingCheckTest, TheBlockKeepsEverythingAndDamageIsRefused) {
  model::Description d;
  d.schema = schema_;
  d.sensors = layout_;
  const auto block = to_block(known_);
  const auto back = readings_from_block(block, d, "m");
  EXPECT_EQ(back.precision, known_.precision);
  EXPECT_EQ(back.residual, known_.residual);
  EXPECT_EQ(back.of_reading.high, known_.of_reading.high);
  EXPECT_EQ(back.of_channel.low, known_.of_channel.low);
  for (const auto& [name, tensor] : block.tensors) {
    if (name == "reading.mean" || name == "residual") continue;  // without these the part is simply not there
    auto damaged = block;
    damaged.tensors.erase(name);
    EXPECT_THROW(readings_from_block(damaged, d, "m"), Error) << name;
    damaged.tensors[name] = io::Array::from<double>({3}, std::vector<double>{1, 2, 3});
    EXPECT_THROW(readings_from_block(damaged, d, "m"), Error) << name;
  }
}

TEST_F(ReadingCheckTest, WithoutPlacesOfTheirOwnOnlyChannelsAreKnown) {
  const auto drawn = learn_readings(cases_, layout_, false, false);
  EXPECT_EQ(drawn.of_reading.size(), 0);
  EXPECT_EQ(drawn.residual.size(), 0);
  const auto moving = learn_readings(cases_, layout_, true, false);
  EXPECT_EQ(moving.of_reading.size(), kSensors);
  EXPECT_EQ(moving.residual.size(), 0);
}

}  // namespace
}  // namespace fluidsplat::reconstruct

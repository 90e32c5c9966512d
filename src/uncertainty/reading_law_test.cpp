// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/reading_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "uncertainty/sensor_fixture.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr Index kSensors = 6;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Six sensors on a limit cycle: each sees the phase in its own way, and its first harmonic.
std::vector<float> instant(double phase) {
  std::vector<float> out;
  for (Index i = 0; i < kSensors; ++i)
    out.push_back(float(3 + std::sin(phase + 0.9 * double(i)) + 0.4 * std::cos(2 * phase - double(i))));
  return out;
}

class ReadingLawTest : public testing::Test {
 protected:
  ReadingLawTest() {
    own = sensors_of_one_channel(kSensors, 3.f, 0.8f);
    model::Matrix training(80, kSensors);
    for (Index t = 0; t < training.rows(); ++t) own.normalize(instant(0.37 * double(t)).data(), training.row(t).data());
    law = std::make_shared<ReadingLaw>(learn_law(training, own, 0.01));
  }
  InstantReadings own;
  std::shared_ptr<ReadingLaw> law;
};

TEST_F(ReadingLawTest, SaysWhatASensorReadsFromTheOthers) {
  LeftOutExpectation expect(law, own, {});
  for (double phase : {0.1, 1.3, 2.9, 4.6}) {
    auto values = instant(phase);
    std::vector<float> told(kSensors);
    expect.by_law(values.data(), told.data());
    for (Index i = 0; i < kSensors; ++i) EXPECT_NEAR(told[i], values[i], 0.1) << phase << " " << i;
    values[2] = kNone;  // four others are left for each of the rest
    expect.by_law(values.data(), told.data());
    EXPECT_TRUE(std::isnan(told[2]));
    for (Index i : {0, 1, 3, 4, 5}) EXPECT_NEAR(told[i], values[i], 0.2) << phase << " " << i;
  }
}

// Neither what it says itself nor, when it is silent, anything else of a sensor is in what others are told to say.
TEST_F(ReadingLawTest, ASensorHasNoSayInItsOwnExpectation) {
  LeftOutExpectation expect(law, own, {});
  auto values = instant(0.7);
  std::vector<float> before(kSensors), after(kSensors);
  expect.by_law(values.data(), before.data());
  values[3] += 100;
  expect.by_law(values.data(), after.data());
  EXPECT_EQ(before[3], after[3]);
  EXPECT_NE(before[4], after[4]);
}

TEST_F(ReadingLawTest, TheModelIsAskedWhereItIsSharper) {
  Index asked = 0;
  const auto model = [&](const float*, float* expected) {
    ++asked;
    std::fill_n(expected, kSensors, 7.f);
  };
  const auto values = instant(0.2);
  std::vector<float> by_law(kSensors), told(kSensors);
  LeftOutExpectation(law, own, model).by_law(values.data(), by_law.data());
  law->is_sharper = {true, false, true, true, false, true};
  LeftOutExpectation(law, own, model)(values.data(), told.data());
  for (Index i = 0; i < kSensors; ++i) EXPECT_EQ(told[i], law->is_sharper[i] ? by_law[i] : 7.f);
  EXPECT_EQ(asked, 1);
  law->is_sharper.assign(kSensors, true);
  LeftOutExpectation(law, own, model)(values.data(), told.data());
  EXPECT_EQ(asked, 1);
  LeftOutExpectation(nullptr, own, model)(values.data(), told.data());
  EXPECT_EQ(told, std::vector<float>(kSensors, 7.f));
}

}  // namespace
}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/fault_kind.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

// A sensor that should say a sine and says something else, with a threshold of three steps of 0.02.
SensorHistory history(const std::function<double(int, double)>& says, int rows = 60) {
  SensorHistory out;
  for (int t = 0; t < rows; ++t) {
    SensorFinding f;
    f.expected = float(std::sin(0.7 * t));
    f.said = float(says(t, f.expected));
    f.steps = (double(f.said) - double(f.expected)) / 0.02;
    f.reading = 0;
    if (std::abs(f.steps) > 3) f.state = SensorState::disagrees;
    out.push_back(f);
  }
  return out;
}

TEST(FaultKind, IsToldByHowASensorIsOff) {
  Random random(1);
  const auto noise = [&](double size) { return size * random.normal(); };
  EXPECT_EQ(fault_of(history([&](int, double x) { return x + noise(0.005); })), SensorState::fine);
  EXPECT_EQ(fault_of(history([&](int, double x) { return x + 0.5 + noise(0.01); })), SensorState::biased);
  EXPECT_EQ(fault_of(history([&](int t, double x) { return x + 0.01 * t + noise(0.01); })), SensorState::drifting);
  EXPECT_EQ(fault_of(history([&](int, double x) { return x + noise(0.5); })), SensorState::noisy);
  EXPECT_EQ(fault_of(history([&](int t, double x) { return x + (t % 11 == 5 ? 2.0 : 0.0); })), SensorState::spiking);
  EXPECT_EQ(fault_of(history([](int, double) { return 0.3; })), SensorState::stuck);
  // Doubted in all rows, as when only all of them together show it.
  const auto throughout = [&](const std::function<double(int, double)>& says) {
    auto h = history(says);
    for (auto& f : h) f.state = SensorState::disagrees;
    return fault_of(h);
  };
  EXPECT_EQ(throughout([&](int t, double x) { return t < 25 ? x + noise(0.01) : 0.3; }), SensorState::stuck);
  EXPECT_EQ(throughout([&](int t, double x) { return x + noise(0.01) + (t % 11 == 5 ? 0.5 : 0); }),
            SensorState::spiking);
  EXPECT_EQ(throughout([&](int, double x) { return x + 0.03 + noise(0.01); }), SensorState::biased);
  EXPECT_EQ(throughout([&](int, double x) { return x + noise(0.05); }), SensorState::noisy);
  EXPECT_EQ(fault_of(history([](int, double x) { return x + 0.5; }, 5)), SensorState::disagrees);
}

TEST(FaultKind, SilenceImpossibleValuesAndSwapsAreNamed) {
  auto h = history([](int, double x) { return x; });
  for (int t = 20; t < 60; ++t) h[t] = {.state = SensorState::silent};
  EXPECT_EQ(fault_of(h), SensorState::silent);
  for (int t = 20; t < 60; ++t) h[t] = {.state = SensorState::out_of_range};
  EXPECT_EQ(fault_of(h), SensorState::out_of_range);
  for (int t = 20; t < 60; ++t) h[t] = {.state = SensorState::swapped, .partner = 2};
  EXPECT_EQ(fault_of(h), SensorState::swapped);
}

}  // namespace
}  // namespace fluidsplat::uncertainty

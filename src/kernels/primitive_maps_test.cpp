// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/primitive_maps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace fluidsplat::kernels {
namespace {

FluidSplatSpec one_primitive(Index dim) {
  FluidSplatSpec s;
  s.dim = dim;
  s.primitives = 1;
  return s;
}

TEST(HeadMaps, KeepCentresAndScalesInRangeAndWeightsInLogForm) {
  const auto s = one_primitive(2);
  for (float size : {-200.0f, -3.0f, 0.0f, 3.0f, 200.0f}) {
    const std::vector<float> raw = {size, -size, size, -size, 0.3f, size, 7.0f};
    std::vector<float> p(s.primitive_columns());
    head_to_primitives(s, 0.01, 0.35, raw.data(), p.data());
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(p[i] >= 0 && p[i] <= 1);
    for (int i = 2; i < 4; ++i) EXPECT_TRUE(p[i] >= 0.01f && p[i] <= 0.35f);
    EXPECT_NEAR(p[8], size < -50 ? size : -std::log1p(std::exp(-size)), 1e-5 * (1 + std::abs(size)));
    EXPECT_EQ(p[9], 7.0f);
  }
}

TEST(HeadMaps, AnglesTurnAxesCounterClockwise) {
  const auto s = one_primitive(2);
  const float angle = 0.4f;
  const std::vector<float> raw = {0, 0, 0, 0, angle, 0, 0};
  std::vector<float> p(s.primitive_columns());
  head_to_primitives(s, 0.01, 0.35, raw.data(), p.data());
  EXPECT_FLOAT_EQ(p[4], std::cos(angle));
  EXPECT_FLOAT_EQ(p[5], std::sin(angle));
  EXPECT_FLOAT_EQ(p[6], -std::sin(angle));
  std::vector<float> token(s.token_columns());
  primitive_token(s, p.data(), token.data());
  EXPECT_NEAR(token[4], std::cos(2 * angle), 1e-6);
  EXPECT_NEAR(token[5], std::sin(2 * angle), 1e-6);
}

TEST(HeadMaps, QuaternionsOfAnyLengthGiveRotations) {
  const auto s = one_primitive(3);
  for (float size : {1e-9f, 0.5f, 100.0f}) {
    std::vector<float> raw = {0, 0, 0, 0, 0, 0, 0.3f * size, -0.5f * size, 0.2f * size, 0.9f * size, 0, 0};
    std::vector<float> p(s.primitive_columns());
    head_to_primitives(s, 0.01, 0.35, raw.data(), p.data());
    const float* r = p.data() + 6;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double dot = 0;
        for (int k = 0; k < 3; ++k) dot += double{r[i * 3 + k]} * r[j * 3 + k];
        EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-6);
      }
  }
  // A quarter turn about z takes the ellipsoid's first axis to y.
  std::vector<float> raw = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0}, p(s.primitive_columns());
  head_to_primitives(s, 0.01, 0.35, raw.data(), p.data());
  EXPECT_NEAR(p[6], 0, 1e-6);
  EXPECT_NEAR(p[7], 1, 1e-6);
}

}  // namespace
}  // namespace fluidsplat::kernels

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/matern_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "kernels/every_target.h"

namespace fluidsplat::kernels {
namespace {

constexpr Index kSensors = 7, kDim = 4, kChannels = 3, kPoints = 37, kStride = 64;

struct Drawn {
  Drawn() : places(kDim * kStride), centres(kSensors * kDim), weights(kSensors * kChannels) {
    Random random(5);
    for (auto* numbers : {&places, &centres, &weights})
      for (float& x : *numbers) x = float(2 * random.normal());
    // One place on a centre, where the distance is 0.
    for (Index a = 0; a < kDim; ++a) places[a * kStride + 3] = centres[2 * kDim + a];
  }
  MaternSum sum() const { return {centres.data(), weights.data(), kSensors, kDim, kChannels}; }
  std::vector<double> place(Index i) const {
    std::vector<double> out;
    for (Index a = 0; a < kDim; ++a) out.push_back(places[a * kStride + i]);
    return out;
  }
  double exact(const std::vector<double>& place, Index channel) const {
    double total = 0;
    for (Index s = 0; s < kSensors; ++s) {
      double square = 0;
      for (Index a = 0; a < kDim; ++a) square += std::pow(place[a] - double(centres[s * kDim + a]), 2);
      const double r = std::sqrt(square);
      total += double(weights[s * kChannels + channel]) * (1 + r + square / 3) * std::exp(-r);
    }
    return total;
  }
  std::vector<float> places, centres, weights;
};

TEST(MaternSum, IsWhatDoublesSay) {
  const Drawn drawn;
  for_every_target([&] {
    std::vector<float> values(kChannels * kStride, NAN);
    matern_sum(drawn.sum(), drawn.places.data(), kPoints, kStride, values.data(), nullptr);
    for (Index c = 0; c < kChannels; ++c)
      for (Index i = 0; i < kPoints; ++i)
        EXPECT_NEAR(values[c * kStride + i], drawn.exact(drawn.place(i), c), 1e-5) << i;
  });
}

TEST(MaternSum, SlopesAreDifferenceQuotients) {
  const Drawn drawn;
  for_every_target([&] {
    std::vector<float> values(kChannels * kStride), slopes(kChannels * kDim * kStride, NAN);
    matern_sum(drawn.sum(), drawn.places.data(), kPoints, kStride, values.data(), slopes.data());
    for (Index i = 0; i < kPoints; ++i)
      for (Index c = 0; c < kChannels; ++c)
        for (Index a = 0; a < kDim; ++a) {
          constexpr double kStep = 1e-5;
          auto above = drawn.place(i), below = above;
          above[a] += kStep;
          below[a] -= kStep;
          EXPECT_NEAR(slopes[(c * kDim + a) * kStride + i],
                      (drawn.exact(above, c) - drawn.exact(below, c)) / (2 * kStep), 2e-5)
              << i;
        }
  });
}

TEST(MaternSum, FarFromEverythingThereIsNothing) {
  Drawn drawn;
  for (Index a = 0; a < kDim; ++a) drawn.places[a * kStride] = 1e6f;
  for_every_target([&] {
    std::vector<float> values(kChannels * kStride);
    matern_sum(drawn.sum(), drawn.places.data(), 1, kStride, values.data(), nullptr);
    for (Index c = 0; c < kChannels; ++c) EXPECT_NEAR(values[c * kStride], 0, 1e-20);
  });
}

}  // namespace
}  // namespace fluidsplat::kernels

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/rate_study.h"

#include <gtest/gtest.h>

#include <ostream>

#include "theory/analytic_fields.h"
#include "theory/least_squares.h"
#include "theory/oracle.h"

namespace fluidsplat::theory {
namespace {

struct Case {
  int dimension;
  double power;  // of the point singularity: s = power + d/2
  int pixels;
  std::vector<int> cells;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.dimension << "-D, power " << c.power; }
};

// The two rates of the theory on fields of known smoothness.  Expected slopes come from the theory; counts and scales
// were chosen in pilot runs to lie in the asymptotic range.
class UnnormalisedRate : public testing::TestWithParam<Case> {};

TEST_P(UnnormalisedRate, IsMinusSmoothnessOverDimension) {
  const auto& [d, power, pixels, cells] = GetParam();
  const double expected = -(power + 0.5 * d) / d;
  const Points points = midpoint_grid(unit_box(d), pixels);
  std::vector<AnalyticField> fields;
  for (std::uint64_t seed = 0; seed < 4; ++seed) fields.push_back(point_singularity(d, power, seed));
  EXPECT_DOUBLE_EQ(-fields[0].smoothness / d, expected);
  const Grid grid(std::vector<int>(d, pixels));
  const RateCurve curve = lattice_curve(grid, sample(fields, points), cells);
  EXPECT_NEAR(curve.fit.exponent, expected, 0.12 * std::abs(expected));
}

INSTANTIATE_TEST_SUITE_P(AnalyticFields, UnnormalisedRate,
                         testing::Values(Case{1, 0.5, 2048, {16, 32, 64, 128}},    // K^-1
                                         Case{1, 1.5, 2048, {16, 32, 64, 128}},    // K^-2
                                         Case{2, 0.5, 288, {12, 16, 24, 32, 48}},  // K^-3/4
                                         Case{2, 1.0, 288, {12, 16, 24, 32, 48}},  // K^-1
                                         Case{3, 0.5, 112, {11, 13, 15, 18, 22}},  // K^-2/3
                                         Case{3, 1.0, 112, {11, 13, 15, 18, 22}}   // K^-5/6
                                         ));

// Rough everywhere, and centres that no lattice orders: s = 1 and s = 2 in 1-D give K^-1 and K^-2.
TEST(UnnormalisedRate, HoldsForRandomSeriesOnFarthestPoints) {
  for (double s : {1.0, 2.0}) {
    const Points points = midpoint_grid(unit_box(1), 2048);
    std::vector<AnalyticField> fields;
    for (std::uint64_t seed = 0; seed < 4; ++seed) fields.push_back(random_series(1, s, 512, seed));
    const std::vector<int> counts = {16, 32, 64, 128};
    const RateCurve curve = approximation_curve(points, sample(fields, points), farthest_points(points, 128), counts);
    EXPECT_NEAR(curve.fit.exponent, -s, 0.12 * s);
  }
}

class ShepardRate : public testing::TestWithParam<int> {};

// However smooth the field, the normalised scaffold saturates at K^{-1/d}.
TEST_P(ShepardRate, SaturatesAtMinusOneOverDimension) {
  const int d = GetParam();
  const double expected = -1.0 / d;
  const Points points = midpoint_grid(unit_box(d), d == 1 ? 8192 : d == 2 ? 160 : 40);
  const std::vector<int> counts =
      d == 1 ? std::vector<int>{32, 64, 128, 256, 512} : std::vector<int>{128, 256, 512, 1024, 2048, 4096};
  const FarthestPoints chosen = farthest_points(points, counts.back());
  const RateCurve curve = oracle_curve(points, smooth_wave(d).at(points), chosen, counts, 0.2);
  EXPECT_NEAR(curve.fit.exponent, expected, 0.12 * std::abs(expected));
}

INSTANTIATE_TEST_SUITE_P(SmoothField, ShepardRate, testing::Values(1, 2, 3));

TEST(RateStudy, TellsEachRateBesideTheTheorysAndStopsWhenTold) {
  int told = 0;
  const auto studies = study_rates([&](const RateStudy& study) {
    EXPECT_DOUBLE_EQ(study.expected, -study.smoothness / study.dimension);
    EXPECT_NEAR(study.curve.fit.exponent, study.expected, 0.12 * std::abs(study.expected)) << study.field;
    return ++told < 2;
  });
  EXPECT_EQ(told, 2);
  EXPECT_EQ(studies.size(), 2u);
}

}  // namespace
}  // namespace fluidsplat::theory

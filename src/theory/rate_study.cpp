// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/rate_study.h"

#include "base/index.h"
#include "theory/analytic_fields.h"
#include "theory/greedy.h"
#include "theory/least_squares.h"
#include "theory/oracle.h"

namespace fluidsplat::theory {
namespace {

constexpr std::uint64_t kSeeds = 4;  // fields per study: their mean error is smoother in K than any one's

struct Plan {
  std::function<AnalyticField(std::uint64_t seed)> make;
  PrimitiveClass primitives;
  int pixels;               // per axis
  std::vector<int> counts;  // Gaussians; for a lattice, cells per axis
  bool adapts = false;
};

RateCurve greedy_curve(const Points& points, const Matrix& fields, const std::vector<int>& counts) {
  GreedySettings settings;
  settings.count = counts.back();
  settings.scales = 11;
  std::vector<GreedyFit> fits;
  for (Index j = 0; j < fields.cols(); ++j) fits.push_back(fit_greedy(points, fields.col(j), settings));
  RateCurve curve;
  for (int k : counts) {
    Vector errors(fields.cols());
    for (Index j = 0; j < fields.cols(); ++j) errors[j] = fits[j].relative_errors.at(k - 1);
    curve.add(k, errors);
  }
  curve.finish();
  return curve;
}

RateCurve measure(const Plan& plan, const std::vector<AnalyticField>& fields) {
  const int d = fields.front().dimension;
  const Points points = midpoint_grid(unit_box(d), plan.pixels);
  const Matrix values = sample(fields, points);
  switch (plan.primitives) {
    case PrimitiveClass::kLattice:
      return lattice_curve(Grid(std::vector<int>(d, plan.pixels)), values, plan.counts);
    case PrimitiveClass::kNested:
      return approximation_curve(points, values, farthest_points(points, plan.counts.back()), plan.counts);
    case PrimitiveClass::kGreedy:
      return greedy_curve(points, values, plan.counts);
    case PrimitiveClass::kNormalised:
      return oracle_curve(points, values, farthest_points(points, plan.counts.back()), plan.counts, 0.2);
  }
  return {};
}

auto singular(int d, double power) {
  return [=](std::uint64_t seed) { return point_singularity(d, power, seed); };
}

auto series(int d, double s, int max_frequency) {
  return [=](std::uint64_t seed) { return random_series(d, s, max_frequency, seed); };
}

auto wave(int d) {
  return [=](std::uint64_t) { return smooth_wave(d); };
}

std::vector<Plan> plans() {
  using enum PrimitiveClass;
  const std::vector<int> line = {16, 32, 64, 128, 256};
  return {{singular(1, 0.5), kLattice, 2048, line},
          {singular(1, 1.5), kLattice, 2048, line},
          {singular(2, 0.5), kLattice, 512, {12, 16, 24, 32, 48, 64}},
          {singular(2, 1.0), kLattice, 512, {12, 16, 24, 32, 48, 64}},
          {singular(3, 0.5), kLattice, 144, {12, 14, 17, 20, 24}},
          {singular(3, 1.0), kLattice, 144, {12, 14, 17, 20, 24}},
          {series(1, 1, 1024), kNested, 2048, line},
          {series(1, 2, 1024), kNested, 2048, line},
          {series(2, 1, 48), kLattice, 128, {12, 16, 20, 24, 28}},
          {series(1, 1, 512), kGreedy, 1024, {16, 32, 64, 128}},
          {singular(1, 0.5), kGreedy, 1024, {8, 12, 16, 24, 32}, true},
          {wave(1), kNormalised, 8192, {32, 64, 128, 256, 512}},
          {wave(2), kNormalised, 256, {128, 256, 512, 1024, 2048, 4096}},
          {wave(3), kNormalised, 48, {256, 512, 1024, 2048, 4096, 8192}}};
}

}  // namespace

std::string name_of(PrimitiveClass primitives) {
  switch (primitives) {
    case PrimitiveClass::kLattice:
      return "unnormalised, lattice";
    case PrimitiveClass::kNested:
      return "unnormalised, farthest points";
    case PrimitiveClass::kGreedy:
      return "unnormalised, greedy";
    case PrimitiveClass::kNormalised:
      return "normalised (Shepard)";
  }
  return {};
}

std::vector<RateStudy> study_rates(const std::function<bool(const RateStudy&)>& done) {
  std::vector<RateStudy> studies;
  for (const Plan& plan : plans()) {
    std::vector<AnalyticField> fields;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) fields.push_back(plan.make(seed));
    RateStudy study;
    study.field = fields.front().name;
    study.dimension = fields.front().dimension;
    study.smoothness = fields.front().smoothness;
    study.primitives = plan.primitives;
    study.expected =
        plan.primitives == PrimitiveClass::kNormalised ? -1.0 / study.dimension : -study.smoothness / study.dimension;
    study.expected_is_bound = plan.adapts;
    study.curve = measure(plan, fields);
    studies.push_back(std::move(study));
    if (done && !done(studies.back())) break;
  }
  return studies;
}

}  // namespace fluidsplat::theory

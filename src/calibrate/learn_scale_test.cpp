// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/learn_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace fluidsplat::calibrate {
namespace {

// Errors of cases on one mesh along x, normal with a size that the place and the case's distance from training decide.
struct Law {
  double waves = 0;  // size goes up and down along x by exp(waves) either way
  double power = 0;  // and grows as (1 + (distance / 5)^2)^(power / 2)
  bool flat_in_training = false;
};
double wave(double x) {
  return std::sin(120 * x);
}

Lessons make_lessons(const Law& law, Index validation, Index training) {
  constexpr Index kPoints = 200;
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.resize(kPoints, 2);
  for (Index i = 0; i < kPoints; ++i) mesh->points.row(i) << float(i) / kPoints, float(i % 10) / 1000;
  Random random(1);
  const auto make = [&](double distance, double waves) {
    auto out = std::make_shared<Lesson>();
    out->mesh = mesh;
    out->readings = {float(distance)};
    out->errors.resize(kPoints, 1);
    const double size = 0.1 * std::pow(1 + distance * distance / 25, law.power / 2);
    for (Index i = 0; i < kPoints; ++i)
      out->errors(i, 0) = float(size * std::exp(waves * wave(mesh->points(i, 0))) * random.normal());
    return out;
  };
  Lessons out;
  for (Index k = 0; k < validation; ++k) out.validation.push_back(make(10 * random.uniform(), law.waves));
  for (Index k = 0; k < training; ++k) out.training.push_back(make(0, law.flat_in_training ? 0 : law.waves));
  out.training_readings = model::Matrix::Zero(3, 1);
  return out;
}

TEST(LearnScale, TakesWhatMakesBandsNarrow) {
  struct Want {
    Law law;
    bool by_place, by_distance;
  };
  for (const auto& want : {Want{{1.2, 0}, true, false}, Want{{0, 1.5}, false, true}, Want{{1.2, 1.5}, true, true}}) {
    const auto lessons = make_lessons(want.law, 24, 30);
    const auto chosen = choose_recipe(all_recipes(lessons), lessons, 0);
    EXPECT_EQ(chosen.by_place, want.by_place) << name_of(chosen);
    // Where there is nothing to learn from the distance, its power is nearly zero and taking it is no loss.
    EXPECT_TRUE(chosen.by_distance || !want.by_distance) << name_of(chosen);
  }
}

// Twelve cases are summed up with those of points around, for which waves are too short; forty are not.
TEST(LearnScale, TrustsTrainingCasesOnlyWhereTheyErrAsOthersDo) {
  const auto alike = make_lessons({1.2, 0}, 12, 100), other = make_lessons({1.2, 0, true}, 40, 100);
  EXPECT_NE(choose_recipe(all_recipes(alike), alike, 0).from, LessonSource::validation);
  EXPECT_EQ(choose_recipe(all_recipes(other), other, 0).from, LessonSource::validation);
}

TEST(LearnScale, IsWhatTheErrorsAre) {
  const auto lessons = make_lessons({1.2, 1}, 100, 0);
  const auto scale = learn_scale({true, true, LessonSource::validation}, lessons);
  EXPECT_NEAR(scale.factor({10.0f}) / scale.factor({0.0f}), std::sqrt(5.0), 0.25);
  const auto& points = lessons.validation.front()->mesh->points;
  const auto sizes = scale.local.at(points);
  double in_wave = 0, all = 0;
  for (Index i = 0; i < sizes.rows(); ++i) {
    in_wave += wave(points(i, 0)) * std::log(sizes(i, 0));
    all += wave(points(i, 0)) * wave(points(i, 0));
  }
  EXPECT_NEAR(in_wave / all, 1.2, 0.15);
  EXPECT_THROW(learn_scale({true, false, LessonSource::training}, lessons), std::logic_error);
}

TEST(LearnScale, WithoutValidationCasesThereIsOneRecipe) {
  const auto lessons = make_lessons({1.2, 0}, 0, 10);
  const auto recipes = all_recipes(lessons);
  ASSERT_EQ(recipes.size(), 1u);
  EXPECT_EQ(choose_recipe(recipes, lessons, 0), (ScaleRecipe{true, false, LessonSource::training}));
}

}  // namespace
}  // namespace fluidsplat::calibrate

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The local scale that makes bands narrow where a model is good, learnt from cases that are never calibrated on.
#pragma once

#include <string>

#include "calibrate/scale_by_place.h"

namespace fluidsplat::calibrate {

// Cases that a scale is learnt from.
enum class LessonSource { validation, training, both };

// How a scale is learnt.
struct ScaleRecipe {
  bool by_place = true;      // else it is the same everywhere
  bool by_distance = false;  // times a factor that grows with the distance of the readings from those of training
  LessonSource from = LessonSource::validation;
  bool operator==(const ScaleRecipe&) const = default;
};
std::string name_of(const ScaleRecipe& recipe);

// A case with what a model said of it: truth minus that, [n, C], and the readings, [V], normalised.
struct Lesson {
  std::shared_ptr<const field::Mesh> mesh;
  field::Matrix errors;
  std::vector<float> readings;
};
using LessonList = std::vector<std::shared_ptr<const Lesson>>;
struct Lessons {
  LessonList validation, training;
  model::Matrix training_readings;  // [T, V], of all training cases
};

struct LearntScale {
  ScaleRecipe recipe;
  uncertainty::LocalScale local{{}};
  uncertainty::ReadingDistance distance;

  double factor(const std::vector<float>& readings) const { return distance.factor(readings.data()); }
};

// Throws std::logic_error without lessons of the source that the recipe asks for.
LearntScale learn_scale(const ScaleRecipe& recipe, const Lessons& lessons);

// The mean width of bands that hold nine of ten errors of cases, of the i-th list with the i-th scale, in root mean
// square errors; a case counts once and channels are averaged.
double width_for(const std::vector<LearntScale>& scales, const std::vector<LessonList>& judged_by);

// Every recipe there are lessons for.
std::vector<ScaleRecipe> all_recipes(const Lessons& lessons);
// The recipe that makes the narrowest bands for validation cases, each of which is judged by what was learnt without
// it.
ScaleRecipe choose_recipe(const std::vector<ScaleRecipe>& recipes, const Lessons& lessons);

}  // namespace fluidsplat::calibrate

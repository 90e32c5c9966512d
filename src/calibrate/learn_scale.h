// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The local scale that makes bands narrow where a model is good, learnt from cases that are never calibrated on.
#pragma once

#include <string>

#include "calibrate/lesson.h"
#include "calibrate/scale_by_place.h"
#include "uncertainty/last_layer.h"
#include "uncertainty/place_classes.h"

namespace fluidsplat::calibrate {

// Cases that a scale is learnt from.
enum class LessonSource { validation, training, both };

// How a scale is learnt.
struct ScaleRecipe {
  bool by_place = true;      // else it is the same everywhere
  bool by_distance = false;  // times a factor that grows with the distance of the readings from those of training
  LessonSource from = LessonSource::validation;
  bool by_layer = false;  // times the doubt of the last hidden layer
  bool operator==(const ScaleRecipe&) const = default;
};
std::string name_of(const ScaleRecipe& recipe);

struct Lessons {
  LessonList validation, training;
  model::Matrix training_readings;  // [T, V], of all training cases
  uncertainty::LastLayer layer;     // that the lessons' doubt is of, if they have any

  LessonList all() const;
};

struct LearntScale {
  ScaleRecipe recipe;
  uncertainty::LocalScale local{{}};
  uncertainty::ReadingDistance distance;
  uncertainty::LastLayer layer;

  double factor(const std::vector<float>& readings) const { return distance.factor(readings.data()); }
};

// Throws std::logic_error without lessons of the source that the recipe asks for.
LearntScale learn_scale(const ScaleRecipe& recipe, const Lessons& lessons);

// A scale and what it is judged by.
struct ScaleTrial {
  LearntScale scale;
  uncertainty::PlaceClasses classes;
  LessonList cases;
};
// The mean width of bands that hold nine of ten errors of the trials' cases in each class of places, in root mean
// square errors; a case counts once and channels are averaged.  All trials have as many classes.
double width_for(const std::vector<ScaleTrial>& trials);

// Every recipe there are lessons for.
std::vector<ScaleRecipe> all_recipes(const Lessons& lessons);
// The recipe that makes the narrowest bands for validation cases, each of which is judged by what was learnt without
// it; `levels` is of learn_classes.
ScaleRecipe choose_recipe(const std::vector<ScaleRecipe>& recipes, const Lessons& lessons, Index levels);

}  // namespace fluidsplat::calibrate

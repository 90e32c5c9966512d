// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/learn_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/misuse.h"
#include "base/random.h"

namespace fluidsplat::calibrate {
namespace {

constexpr double kNine = 0.9;
// Parts of the validation cases, in a row each: neighbours in time are not to judge each other.
constexpr Index kFolds = 4;
// Points of a case that judge.
constexpr Index kPoints = 1000;

double median(std::vector<double> values) {
  const auto at = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Errors at some points of a case, in units of a scale, and that scale's means.
struct Judged {
  model::Matrix sizes;  // [points, C]
  Eigen::RowVectorXf mean_scale;
};
Judged judged(const Lesson& lesson, const uncertainty::LocalScale& local) {
  const auto& all = lesson.mesh->points;
  model::Matrix points(kPoints, all.cols()), errors(kPoints, lesson.errors.cols());
  Random random(1);
  for (Index i = 0; i < kPoints; ++i) {
    const auto p = Index(random.below(all.rows()));
    points.row(i) = all.row(p);
    errors.row(i) = lesson.errors.row(p);
  }
  model::Matrix scales(kPoints, errors.cols());
  local.evaluate(points.data(), kPoints, scales.data());
  return {errors.cwiseAbs().cwiseQuotient(scales), scales.colwise().mean()};
}

// How case errors grow with the distance: a straight line through logarithms.
uncertainty::ReadingDistance learn_distance(const uncertainty::LocalScale& local, const Lessons& lessons) {
  uncertainty::ReadingDistance out;
  out.training = lessons.training_readings;
  std::vector<double> distances, logs;
  for (const auto& l : lessons.validation) {
    const auto sizes = judged(*l, local).sizes;
    logs.push_back(0.5 * std::log(sizes.array().square().mean() + 1e-30));
    distances.push_back(out.distance(l->readings.data()));
  }
  if (distances.empty()) misuse("no validation cases to learn from how errors grow with distance");
  out.floor = std::max(1e-6, median(distances));
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  const double n = double(distances.size());
  std::vector<double> x;
  for (double d : distances) x.push_back(0.5 * std::log1p(std::pow(d / out.floor, 2)));
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += logs[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (logs[i] - mean_y);
  }
  out.power = std::clamp(xx > 0 ? xy / xx : 0.0, 0.0, 2.0);
  return out;
}

}  // namespace

std::string name_of(const ScaleRecipe& r) {
  static constexpr const char* kSources[] = {"validation", "training", "validation and training"};
  return fmt::format("{}{} from {} cases", r.by_place ? "place" : "constant", r.by_distance ? " and distance" : "",
                     kSources[int(r.from)]);
}

LearntScale learn_scale(const ScaleRecipe& recipe, const Lessons& lessons) {
  ScaleByPlace errors(Summary::quantile);
  if (recipe.from != LessonSource::training)
    for (const auto& l : lessons.validation) errors.add(l->mesh, l->errors);
  if (recipe.from != LessonSource::validation)
    for (const auto& l : lessons.training) errors.add(l->mesh, l->errors);
  LearntScale out{recipe, recipe.by_place ? errors.make() : errors.make_constant(), {}};
  if (recipe.by_distance) out.distance = learn_distance(out.local, lessons);
  return out;
}

double width_for(const std::vector<LearntScale>& scales, const std::vector<LessonList>& judged_by) {
  const Index channels = judged_by.front().front()->errors.cols();
  std::vector<std::vector<float>> scores(channels);
  Eigen::RowVectorXd scale = Eigen::RowVectorXd::Zero(channels), square = scale;
  double cases = 0;
  for (std::size_t f = 0; f < scales.size(); ++f)
    for (const auto& l : judged_by[f]) {
      const auto at = judged(*l, scales[f].local);
      const double factor = scales[f].factor(l->readings);
      for (Index c = 0; c < channels; ++c)
        for (Index i = 0; i < at.sizes.rows(); ++i) scores[c].push_back(float(at.sizes(i, c) / factor));
      scale += factor * at.mean_scale.cast<double>();
      square += l->errors.cast<double>().colwise().squaredNorm() / double(l->errors.rows());
      cases += 1;
    }
  double out = 0;
  for (Index c = 0; c < channels; ++c) {
    const auto at = scores[c].begin() + Index(kNine * double(scores[c].size()));
    std::nth_element(scores[c].begin(), at, scores[c].end());
    out += 2 * double(*at) * (scale[c] / cases) / std::sqrt(square[c] / cases + 1e-300) / double(channels);
  }
  return out;
}

std::vector<ScaleRecipe> all_recipes(const Lessons& lessons) {
  std::vector<ScaleRecipe> out;
  for (bool by_distance : {false, true})
    for (bool by_place : {false, true})
      for (auto from : {LessonSource::validation, LessonSource::training, LessonSource::both}) {
        if (from != LessonSource::validation && lessons.training.empty()) continue;
        if (from != LessonSource::training && lessons.validation.empty()) continue;
        if (by_distance && (lessons.validation.empty() || lessons.training_readings.rows() == 0)) continue;
        // What is the same everywhere needs few cases.
        if (!by_place && from != LessonSource::validation) continue;
        out.push_back({by_place, by_distance, from});
      }
  return out;
}

ScaleRecipe choose_recipe(const std::vector<ScaleRecipe>& recipes, const Lessons& lessons) {
  const Index n = std::ssize(lessons.validation), folds = std::min(n, kFolds);
  if (folds < 2) return recipes.front();
  std::vector<Lessons> without(folds);
  std::vector<LessonList> fold(folds);
  for (Index f = 0; f < folds; ++f) {
    without[f].training = lessons.training;
    without[f].training_readings = lessons.training_readings;
    for (Index k = 0; k < n; ++k)
      (k * folds / n == f ? fold[f] : without[f].validation).push_back(lessons.validation[k]);
  }
  ScaleRecipe best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& recipe : recipes) {
    std::vector<LearntScale> scales;
    for (const auto& l : without) scales.push_back(learn_scale(recipe, l));
    if (const double width = width_for(scales, fold); width < least) least = width, best = recipe;
  }
  return best;
}

}  // namespace fluidsplat::calibrate

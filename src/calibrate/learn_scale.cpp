// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/learn_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/misuse.h"
#include "base/random.h"
#include "calibrate/learn_classes.h"

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
  model::Matrix points, features;  // [points, d], [points, F]
  model::Matrix sizes, scales;     // [points, C]
};
Judged judged(const Lesson& lesson, const uncertainty::LocalScale& local, bool by_layer) {
  const auto& all = lesson.mesh->points;
  model::Matrix points(kPoints, all.cols()), errors(kPoints, lesson.errors.cols());
  std::vector<Index> drawn;
  Random random(1);
  for (Index i = 0; i < kPoints; ++i) {
    const auto p = drawn.emplace_back(Index(random.below(all.rows())));
    points.row(i) = all.row(p);
    errors.row(i) = lesson.errors.row(p);
  }
  model::Matrix scales(kPoints, errors.cols());
  local.evaluate(points.data(), kPoints, scales.data());
  for (Index i = 0; by_layer && i < kPoints; ++i) scales.row(i) *= lesson.doubt[drawn[i]];
  model::Matrix features = lesson.mesh->features(drawn, Eigen::all);
  return {std::move(points), std::move(features), errors.cwiseAbs().cwiseQuotient(scales), std::move(scales)};
}

// How case errors grow with the distance: a straight line through logarithms.
uncertainty::ReadingDistance learn_distance(const uncertainty::LocalScale& local, const Lessons& lessons,
                                            bool by_layer) {
  uncertainty::ReadingDistance out;
  out.training = lessons.training_readings;
  std::vector<double> distances, logs;
  for (const auto& l : lessons.validation) {
    const auto sizes = judged(*l, local, by_layer).sizes;
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

LessonList Lessons::all() const {
  auto out = validation;
  out.insert(out.end(), training.begin(), training.end());
  return out;
}

std::string name_of(const ScaleRecipe& r) {
  static constexpr const char* kSources[] = {"validation", "training", "validation and training"};
  return fmt::format("{}{}{} from {} cases",
                     r.by_layer && !r.by_place ? "last layer"
                     : r.by_place              ? "place"
                                               : "constant",
                     r.by_layer && r.by_place ? " and last layer" : "", r.by_distance ? " and distance" : "",
                     kSources[int(r.from)]);
}

LearntScale learn_scale(const ScaleRecipe& recipe, const Lessons& lessons) {
  ScaleByPlace errors(Summary::quantile);
  const auto add = [&](const LessonList& list) {
    for (const auto& l : list) {
      if (!recipe.by_layer) {
        errors.add(l->mesh, l->errors);
        continue;
      }
      if (l->doubt.size() != l->errors.rows()) misuse("a lesson without the doubt of the last layer");
      errors.add(l->mesh, l->errors.array().colwise() / l->doubt.array());
    }
  };
  if (recipe.from != LessonSource::training) add(lessons.validation);
  if (recipe.from != LessonSource::validation) add(lessons.training);
  LearntScale out{recipe, recipe.by_place ? errors.make() : errors.make_constant(), {}, {}};
  if (recipe.by_layer) out.layer = lessons.layer;
  if (recipe.by_distance) out.distance = learn_distance(out.local, lessons, recipe.by_layer);
  return out;
}

double width_for(const std::vector<ScaleTrial>& trials) {
  const Index channels = trials.front().cases.front()->errors.cols(), classes = trials.front().classes.count();
  std::vector<std::vector<float>> scores(classes * channels);
  Eigen::MatrixXd scale = Eigen::MatrixXd::Zero(classes, channels);  // sums over points
  Eigen::RowVectorXd square = Eigen::RowVectorXd::Zero(channels);
  double cases = 0;
  for (const auto& t : trials)
    for (const auto& l : t.cases) {
      const auto at = judged(*l, t.scale.local, t.scale.layer.is_on());
      const auto of = t.classes.at(at.points, at.features);
      const double factor = t.scale.factor(l->readings);
      for (Index c = 0; c < channels; ++c)
        for (Index i = 0; i < at.sizes.rows(); ++i) {
          scores[of[i] * channels + c].push_back(float(at.sizes(i, c) / factor));
          scale(of[i], c) += factor * double(at.scales(i, c));
        }
      square += l->errors.cast<double>().colwise().squaredNorm() / double(l->errors.rows());
      cases += 1;
    }
  double out = 0;
  for (Index k = 0; k < classes; ++k)
    for (Index c = 0; c < channels; ++c) {
      auto& list = scores[k * channels + c];
      if (list.empty()) continue;
      const auto at = list.begin() + Index(kNine * double(list.size()));
      std::nth_element(list.begin(), at, list.end());
      const double error = std::sqrt(square[c] / cases + 1e-300);
      out += 2 * double(*at) * scale(k, c) / (cases * double(kPoints)) / error / double(channels);
    }
  return out;
}

std::vector<ScaleRecipe> all_recipes(const Lessons& lessons) {
  std::vector<ScaleRecipe> out;
  // Distance and last layer both tell of the instant: one of them is enough.
  for (const auto& [by_distance, by_layer] : {std::pair(false, false), std::pair(true, false), std::pair(false, true)})
    for (bool by_place : {false, true})
      for (auto from : {LessonSource::validation, LessonSource::training, LessonSource::both}) {
        if (by_layer && !lessons.layer.is_on()) continue;
        if (from != LessonSource::validation && lessons.training.empty()) continue;
        if (from != LessonSource::training && lessons.validation.empty()) continue;
        if (by_distance && (lessons.validation.empty() || lessons.training_readings.rows() == 0)) continue;
        // What is the same everywhere needs few cases.
        if (!by_place && from != LessonSource::validation) continue;
        out.push_back({by_place, by_distance, from, by_layer});
      }
  return out;
}

ScaleRecipe choose_recipe(const std::vector<ScaleRecipe>& recipes, const Lessons& lessons, Index levels) {
  const Index n = std::ssize(lessons.validation), folds = std::min(n, kFolds);
  if (folds < 2) return recipes.front();
  std::vector<Lessons> without(folds);
  std::vector<ScaleTrial> trials(folds);
  for (Index f = 0; f < folds; ++f) {
    without[f].training = lessons.training;
    without[f].training_readings = lessons.training_readings;
    without[f].layer = lessons.layer;
    for (Index k = 0; k < n; ++k)
      (k * folds / n == f ? trials[f].cases : without[f].validation).push_back(lessons.validation[k]);
    trials[f].classes = learn_classes(without[f].all(), levels);
  }
  ScaleRecipe best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& recipe : recipes) {
    for (Index f = 0; f < folds; ++f) trials[f].scale = learn_scale(recipe, without[f]);
    if (const double width = width_for(trials); width < least) least = width, best = recipe;
  }
  return best;
}

}  // namespace fluidsplat::calibrate

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/learn_classes.h"

#include <algorithm>
#include <cmath>

#include "base/misuse.h"
#include "base/random.h"
#include "calibrate/scale_by_place.h"

namespace fluidsplat::calibrate {
namespace {

// Places that the classes are told apart at; more would be finer than the errors are known.
constexpr Index kPlaces = 20000;
// Of all places, that a region is divided from.
constexpr double kWorthDividing = 0.03;

struct Places {
  model::Matrix at;
  std::vector<unsigned char> regions;
};

// The points of a mesh that all share; of meshes of their own, or of a large one, some drawn at random.
Places draw_places(const LessonList& lessons) {
  const auto& first = lessons.front()->mesh;
  const bool shared = std::ranges::all_of(lessons, [&](const auto& l) { return l->mesh == first; });
  if (shared && first->size() <= kPlaces) return {first->points, regions_of(*first)};
  Places out{model::Matrix(kPlaces, first->points.cols()), {}};
  Random random(1);
  std::shared_ptr<const field::Mesh> last;
  std::vector<unsigned char> regions;
  for (Index k = 0; k < kPlaces; ++k) {
    const auto& mesh = lessons[k * std::ssize(lessons) / kPlaces]->mesh;
    if (mesh != last) regions = regions_of(*mesh), last = mesh;
    const auto i = Index(random.below(mesh->size()));
    out.at.row(k) = mesh->points.row(i);
    out.regions.push_back(regions[i]);
  }
  return out;
}

// How much the model errs there, of what it errs on the whole; channels count alike.
Eigen::VectorXf relative_sizes(const LessonList& lessons, const model::Matrix& places) {
  ScaleByPlace errors(Summary::quantile);
  for (const auto& l : lessons) errors.add(l->mesh, l->errors);
  const auto scale = errors.make();
  model::Matrix logs = scale.at(places).array().log();
  for (Index c = 0; c < logs.cols(); ++c) logs.col(c).array() -= std::log(scale.everywhere()[c]);
  return logs.rowwise().mean();
}

}  // namespace

uncertainty::PlaceClasses learn_classes(const LessonList& lessons, Index levels) {
  if (levels < 1) return {};
  if (lessons.empty()) misuse("no errors to learn classes of places from");
  auto places = draw_places(lessons);
  const auto sizes = relative_sizes(lessons, places.at);
  std::vector<uncertainty::PlaceClasses::Class> classes(places.regions.size());
  Index next = 0;
  std::string names;
  for (int region = 0; region < kRegions; ++region) {
    std::vector<Index> inside;
    for (std::size_t i = 0; i < places.regions.size(); ++i)
      if (places.regions[i] == region) inside.push_back(Index(i));
    if (inside.empty()) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kRegionNames[region]);
    std::ranges::stable_sort(inside, {}, [&](Index i) { return sizes[i]; });
    const bool divides = double(inside.size()) >= kWorthDividing * double(classes.size());
    const Index parts = divides ? std::min(levels, std::ssize(inside)) : 1;
    for (Index i = 0; i < std::ssize(inside); ++i)
      classes[inside[i]] = uncertainty::PlaceClasses::Class(next + i * parts / std::ssize(inside));
    next += parts;
  }
  if (next == 1) return {};
  return {std::move(places.at), std::move(classes), names + (levels > 1 ? ", by how much the model errs there" : "")};
}

std::vector<uncertainty::PlaceClasses::Class> joined_classes(const std::vector<CaseErrors>& cases,
                                                             const std::vector<std::vector<Index>>& groups,
                                                             Index classes) {
  std::vector<uncertainty::PlaceClasses::Class> out(classes);
  std::vector<std::vector<bool>> has(groups.size(), std::vector<bool>(classes));
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (Index i : groups[g])
      for (auto k : cases[i].place_class) has[g][k] = true;
  std::vector<bool> met(groups.size());
  Index number = 0;
  for (Index k = 0; k < classes; ++k) {
    out[k] = uncertainty::PlaceClasses::Class(number);
    for (std::size_t g = 0; g < groups.size(); ++g) met[g] = met[g] || has[g][k];
    if (std::ranges::find(met, false) != met.end()) continue;
    ++number;
    met.assign(groups.size(), false);
  }
  // What is left at the end is not enough for a class of its own.
  for (auto& k : out) k = std::min(k, uncertainty::PlaceClasses::Class(std::max(Index(1), number) - 1));
  return out;
}

}  // namespace fluidsplat::calibrate

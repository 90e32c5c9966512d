// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/learn_classes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/misuse.h"
#include "base/random.h"
#include "calibrate/scale_by_place.h"

namespace fluidsplat::calibrate {
namespace {

// Places that the classes are told apart at; more would be finer than the errors are known.
constexpr Index kPlaces = 20000;
// Of all places, that a region is divided from.
constexpr double kWorthDividing = 0.03;
// A feature may be wrong about so many points, of those near a wall, and still be taken for what tells them: walls are
// known by some of their points, so that the region itself is no more exact.
constexpr double kMostMistaken = 0.25;

// Of the points near a wall, that the parts near it shall have.
constexpr double kNearlyAll = 0.98;

struct Places {
  model::Matrix at, features;
  std::vector<unsigned char> regions;
  bool shared;  // the same in all cases

  std::vector<Index> in_region(int region) const {
    std::vector<Index> out;
    for (std::size_t i = 0; i < regions.size(); ++i)
      if (regions[i] == region) out.push_back(Index(i));
    return out;
  }
  Index parts(const std::vector<Index>& inside, Index levels) const {
    const bool divides = double(inside.size()) >= kWorthDividing * double(regions.size());
    return divides ? std::min(levels, std::ssize(inside)) : 1;
  }
};

// The points of a mesh that all share; of meshes of their own, or of a large one, some drawn at random.
Places draw_places(const LessonList& lessons) {
  const auto& first = lessons.front()->mesh;
  const bool shared = std::ranges::all_of(lessons, [&](const auto& l) { return l->mesh == first; });
  if (shared && first->size() <= kPlaces) return {first->points, first->features, regions_of(*first), shared};
  Places out{model::Matrix(kPlaces, first->points.cols()), model::Matrix(kPlaces, first->features.cols()), {}, shared};
  Random random(1);
  std::shared_ptr<const field::Mesh> last;
  std::vector<unsigned char> regions;
  for (Index k = 0; k < kPlaces; ++k) {
    const auto& mesh = lessons[k * std::ssize(lessons) / kPlaces]->mesh;
    if (mesh != last) regions = regions_of(*mesh), last = mesh;
    const auto i = Index(random.below(mesh->size()));
    out.at.row(k) = mesh->points.row(i);
    if (out.features.cols() > 0) out.features.row(k) = mesh->features.row(i);
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

// The feature, and the value of it, below which are the fewest points that are not near a wall and above which are the
// fewest that are.
struct WallFeature {
  Index feature = 0;
  float below = 0;
  Index mistaken = std::numeric_limits<Index>::max();  // points
};
WallFeature find_wall_feature(const Places& places) {
  WallFeature best;
  std::vector<std::pair<float, bool>> points(places.regions.size());  // value, near a wall
  for (Index f = 0; f < places.features.cols(); ++f) {
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] = {places.features(Index(i), f), places.regions[i] == kNearWall};
    std::ranges::sort(points);
    Index mistaken = std::ranges::count(points, true, &std::pair<float, bool>::second);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      mistaken += points[i].second ? -1 : 1;
      if (points[i].first < points[i + 1].first && mistaken < best.mistaken) best = {f, points[i + 1].first, mistaken};
    }
  }
  return best;
}

// Some points near a wall are above that value, and would be judged with those in the open, where errors are small: up
// to where are nearly all of them, if that takes in no more points than are near a wall.
float outer_edge(const Places& places, const WallFeature& found, const std::vector<Index>& inside) {
  std::vector<float> of_wall, beyond;
  for (Index i : inside) of_wall.push_back(places.features(i, found.feature));
  std::ranges::sort(of_wall);
  for (Index i = 0; i < places.features.rows(); ++i)
    if (places.features(i, found.feature) >= found.below) beyond.push_back(places.features(i, found.feature));
  std::ranges::sort(beyond);
  const float nearly_all = of_wall[Index(kNearlyAll * double(of_wall.size() - 1))];
  return beyond.size() > inside.size() ? std::min(nearly_all, beyond[inside.size()]) : nearly_all;
}

// Near a wall by a feature, in parts that as many points are in each; no edges where no feature tells.
uncertainty::PlaceClasses::NearWall learn_near_wall(const Places& places, Index levels) {
  uncertainty::PlaceClasses::NearWall out;
  const auto inside = places.in_region(kNearWall);
  if (places.shared || inside.empty() || inside.size() == places.regions.size()) return out;
  const auto found = find_wall_feature(places);
  if (double(found.mistaken) > kMostMistaken * double(inside.size())) return out;
  out.feature = found.feature;
  out.columns = places.features.cols();
  std::vector<float> values;
  for (Index i : inside) values.push_back(std::min(places.features(i, found.feature), found.below));
  std::ranges::sort(values);
  const Index parts = places.parts(inside, levels);
  for (Index k = 1; k <= parts; ++k) {
    const float edge = k == parts ? found.below : values[k * std::ssize(values) / parts];
    if (!out.edges.empty() && edge <= out.edges.back()) continue;  // many points of one value
    out.classes.push_back(uncertainty::PlaceClasses::Class(out.edges.size()));
    out.edges.push_back(edge);
  }
  if (const float outer = outer_edge(places, found, inside); outer > out.edges.back()) {
    out.classes.push_back(uncertainty::PlaceClasses::Class(out.edges.size()));
    out.edges.push_back(outer);
  }
  return out;
}

}  // namespace

uncertainty::PlaceClasses learn_classes(const LessonList& lessons, Index levels) {
  if (levels < 1) return {};
  if (lessons.empty()) misuse("no errors to learn classes of places from");
  auto places = draw_places(lessons);
  const auto sizes = relative_sizes(lessons, places.at);
  auto near_wall = learn_near_wall(places, levels);
  const bool by_feature = !near_wall.edges.empty();
  std::vector<uncertainty::PlaceClasses::Class> classes(places.regions.size());
  Index next = std::ssize(near_wall.edges);
  std::string names;
  for (int region = 0; region < kRegions; ++region) {
    auto inside = places.in_region(region);
    if (inside.empty()) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kRegionNames[region]);
    if (region == kNearWall && by_feature) continue;
    std::ranges::stable_sort(inside, {}, [&](Index i) { return sizes[i]; });
    const Index parts = places.parts(inside, levels);
    for (Index i = 0; i < std::ssize(inside); ++i)
      classes[inside[i]] = uncertainty::PlaceClasses::Class(next + i * parts / std::ssize(inside));
    next += parts;
  }
  if (next == 1) return {};
  if (levels > 1)
    names += by_feature ? ", by how far the wall is or how much the model errs" : ", by how much the model errs there";
  if (!by_feature) return {std::move(places.at), std::move(classes), std::move(names)};
  // Places near a wall stand for nothing where others' walls are elsewhere.
  std::vector<Index> others;
  std::vector<uncertainty::PlaceClasses::Class> of_others;
  for (Index i = 0; i < std::ssize(classes); ++i)
    if (places.regions[i] != kNearWall) others.push_back(i), of_others.push_back(classes[i]);
  return {places.at(others, Eigen::all), std::move(of_others), std::move(near_wall), std::move(names)};
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

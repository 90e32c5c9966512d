// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/place_classes.h"

#include <algorithm>

#include "base/misuse.h"

namespace fluidsplat::uncertainty {

PlaceClasses::PlaceClasses(model::Matrix places, std::vector<Class> classes, std::string meaning)
    : PlaceClasses(std::move(places), std::move(classes), {}, std::move(meaning)) {}

PlaceClasses::PlaceClasses(model::Matrix places, std::vector<Class> classes, NearWall near_wall, std::string meaning)
    : classes_(std::move(classes)), near_wall_(std::move(near_wall)), meaning_(std::move(meaning)) {
  if (classes_.empty() || places.rows() != std::ssize(classes_))
    misuse("{} places and {} classes of them", places.rows(), classes_.size());
  if (near_wall_.edges.size() != near_wall_.classes.size() || !std::ranges::is_sorted(near_wall_.edges) ||
      (!near_wall_.edges.empty() && !(near_wall_.feature >= 0 && near_wall_.feature < near_wall_.columns)))
    misuse("{} edges and {} classes near a wall, by feature {} of {}", near_wall_.edges.size(),
           near_wall_.classes.size(), near_wall_.feature, near_wall_.columns);
  count_them();
  known_ = std::make_shared<const Known>(std::move(places));
}

void PlaceClasses::count_them() {
  count_ = 1;
  for (const auto* list : {&classes_, &near_wall_.classes})
    for (Class c : *list) count_ = std::max(count_, Index(c) + 1);
}

void PlaceClasses::evaluate(const float* positions, const float* features, Index count, Class* classes) const {
  if (!known_) {
    std::fill_n(classes, count, Class(0));
    return;
  }
  const Index dim = known_->places.cols();
  const auto& edges = near_wall_.edges;
  if (!edges.empty() && !features && count > 0) misuse("classes that need features, and points without");
  for (Index i = 0; i < count; ++i) {
    if (!edges.empty()) {
      const float value = features[i * near_wall_.columns + near_wall_.feature];
      if (const auto above = std::ranges::upper_bound(edges, value); above != edges.end()) {
        classes[i] = near_wall_.classes[above - edges.begin()];
        continue;
      }
    }
    classes[i] = classes_[known_->search.at(positions + i * dim).point.front()];
  }
}

std::vector<PlaceClasses::Class> PlaceClasses::at(const model::Matrix& points, const model::Matrix& features) const {
  const bool by_place = near_wall_.edges.empty();
  // At its own places, looked up and not searched for.
  if (known_ && by_place && points.rows() == known_->places.rows() && points == known_->places) return classes_;
  if (!by_place && (features.rows() != points.rows() || features.cols() != near_wall_.columns))
    misuse("{} points with {} rows of {} features for classes by {}", points.rows(), features.rows(), features.cols(),
           near_wall_.columns);
  std::vector<Class> out(points.rows());
  evaluate(points.data(), features.data(), points.rows(), out.data());
  return out;
}

PlaceClasses PlaceClasses::renumbered(const std::vector<Class>& numbers) const {
  auto out = *this;
  for (auto* list : {&out.classes_, &out.near_wall_.classes})
    for (auto& c : *list) c = numbers[c];
  out.count_them();
  return out;
}

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/place_classes.h"

#include <algorithm>

#include "base/misuse.h"

namespace fluidsplat::uncertainty {

PlaceClasses::PlaceClasses(model::Matrix places, std::vector<Class> classes, std::string meaning)
    : classes_(std::move(classes)), meaning_(std::move(meaning)) {
  if (classes_.empty() || places.rows() != std::ssize(classes_))
    misuse("{} places and {} classes of them", places.rows(), classes_.size());
  count_ = Index(std::ranges::max(classes_)) + 1;
  known_ = std::make_shared<const Known>(std::move(places));
}

void PlaceClasses::evaluate(const float* positions, Index count, Class* classes) const {
  if (!known_) {
    std::fill_n(classes, count, Class(0));
    return;
  }
  const Index dim = known_->places.cols();
  for (Index i = 0; i < count; ++i) classes[i] = classes_[known_->search.at(positions + i * dim).point.front()];
}

std::vector<PlaceClasses::Class> PlaceClasses::at(const model::Matrix& points) const {
  // At its own places, looked up and not searched for.
  if (known_ && points.rows() == known_->places.rows() && points == known_->places) return classes_;
  std::vector<Class> out(points.rows());
  evaluate(points.data(), points.rows(), out.data());
  return out;
}

PlaceClasses PlaceClasses::renumbered(const std::vector<Class>& numbers) const {
  auto out = *this;
  for (auto& c : out.classes_) c = numbers[c];
  out.count_ = out.classes_.empty() ? 1 : Index(std::ranges::max(out.classes_)) + 1;
  return out;
}

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/scattered_interpolation.h"

namespace fluidsplat::uncertainty {

// Places told apart, so that a band can have a threshold of its own in each class of them.  A point is in the class of
// the nearest place that is known, unless a feature of it says that it is near a wall.  Any division will do for a
// promise to hold in each class; a good one puts places together at which a model errs alike.  Constant; any number of
// threads may ask.
class PlaceClasses {
 public:
  using Class = std::uint8_t;
  static constexpr Index kMost = 255;

  // For walls that are elsewhere in every case: a point whose feature is below edges[i], and below no edge before, is
  // in classes[i], wherever it is.
  struct NearWall {
    Index feature = 0, columns = 0;  // which of how many features
    std::vector<float> edges;        // rising; none: places alone decide
    std::vector<Class> classes;
    bool operator==(const NearWall&) const = default;
  };

  // All places are alike.
  PlaceClasses() = default;
  // The class of each of some places [n, d], numbered from 0, and what they are, in words.
  PlaceClasses(model::Matrix places, std::vector<Class> classes, std::string meaning);
  PlaceClasses(model::Matrix places, std::vector<Class> classes, NearWall near_wall, std::string meaning);

  Index count() const { return count_; }
  const std::string& meaning() const { return meaning_; }
  // Empty when all places are alike.
  const model::Matrix& places() const { return known_ ? known_->places : none_; }
  const std::vector<Class>& classes() const { return classes_; }
  const NearWall& near_wall() const { return near_wall_; }

  // At positions [count][d] with features [count][F] in the data's units, which may be null where places alone decide.
  // Allocates nothing.
  void evaluate(const float* positions, const float* features, Index count, Class* classes) const;
  std::vector<Class> at(const model::Matrix& points, const model::Matrix& features) const;
  // The same places with class i called numbers[i].
  PlaceClasses renumbered(const std::vector<Class>& numbers) const;

 private:
  void count_them();

  struct Known {
    explicit Known(model::Matrix points) : places(std::move(points)), search(places) {}
    model::Matrix places;
    model::ScatteredInterpolation search;
  };
  std::shared_ptr<const Known> known_;
  model::Matrix none_;
  std::vector<Class> classes_;
  NearWall near_wall_;
  std::string meaning_;
  Index count_ = 1;
};

}  // namespace fluidsplat::uncertainty

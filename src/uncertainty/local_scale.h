// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/base_field.h"

namespace fluidsplat::uncertainty {

// Where a model errs how much, up to a factor that calibration finds: what makes bands narrow where the model is good.
// Any positive function will do, a good one gives narrow bands.  Constant; any number of threads may ask.
class LocalScale {
 public:
  // The same everywhere, one positive number per channel.
  explicit LocalScale(std::vector<float> everywhere);
  // Given at places [n, d] as logarithms [n, C], interpolated elsewhere; a logarithm stays positive wherever that goes.
  LocalScale(model::Matrix places, model::Matrix logarithms);

  Index channels() const { return std::ssize(everywhere_); }
  bool is_by_place() const { return places_ != nullptr; }
  // The places and logarithms; null when it is the same everywhere.
  const model::BaseField* places() const { return places_.get(); }
  const std::vector<float>& everywhere() const { return everywhere_; }

  // At positions [count][d]: scales [count][C].  Allocates nothing.
  void evaluate(const float* positions, Index count, float* scales) const;
  model::Matrix at(const model::Matrix& points) const;

 private:
  std::vector<float> everywhere_;  // of a scale by place: its geometric mean
  std::shared_ptr<const model::BaseField> places_;
};

// How errors grow with the distance of readings from those of training: a factor to the local scale, the same for a
// whole instant.  Readings are normalised, [V] in the order of the model's own, NaN where a sensor says nothing.
struct ReadingDistance {
  model::Matrix training;  // [T, V]; no rows: the factor is 1
  double power = 0, floor = 1;

  // To the nearest of training, root mean square over the readings there are.  Allocates nothing.
  double distance(const float* readings) const;
  // (1 + (distance / floor)^2)^(power / 2)
  double factor(const float* readings) const;
};

}  // namespace fluidsplat::uncertainty

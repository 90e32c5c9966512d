// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/model/tensors.h"

namespace fluidsplat::learn {

// A running mean of the weights, which often errs less than the weights themselves.  Off when the decay is 0.
class WeightAverage {
 public:
  WeightAverage(const TensorMap& live, double decay);
  bool is_on() const { return !mean_.empty(); }
  // After a step; `step` counts from 1.
  void update(Index step);
  // The weights to judge and to keep: the mean, or the live ones when this is off.
  const TensorMap& best_guess() const { return is_on() ? mean_ : live_; }
  // For checkpoints; shares memory.
  const TensorMap& state() const { return mean_; }

  // While it lives, the mean stands in for the live weights.
  class StandIn {
   public:
    explicit StandIn(const WeightAverage& average);
    ~StandIn();
    StandIn(const StandIn&) = delete;

   private:
    const WeightAverage& average_;
    TensorMap parked_;
  };

 private:
  TensorMap live_, mean_;
  double decay_;
};

}  // namespace fluidsplat::learn

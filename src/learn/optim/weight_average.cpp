// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/weight_average.h"

#include <algorithm>

namespace fluidsplat::learn {

WeightAverage::WeightAverage(const TensorMap& live, double decay) : live_(live), decay_(decay) {
  if (decay > 0) mean_ = clone(live);
}

void WeightAverage::update(Index step) {
  if (!is_on()) return;
  torch::NoGradGuard no_grad;
  // A young average forgets faster, so that the initial weights do not linger.
  const double decay = std::min(decay_, double(step) / double(9 + step));
  for (auto& [name, t] : mean_) t.mul_(decay).add_(live_.at(name).detach(), 1 - decay);
}

WeightAverage::StandIn::StandIn(const WeightAverage& average) : average_(average) {
  if (!average_.is_on()) return;
  parked_ = clone(average_.live_);
  copy_into(average_.live_, average_.mean_, "averaged weights");
}

WeightAverage::StandIn::~StandIn() {
  if (average_.is_on()) copy_into(average_.live_, parked_, "live weights");
}

}  // namespace fluidsplat::learn

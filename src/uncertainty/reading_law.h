// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "classical/reading_map.h"
#include "model/matrix.h"
#include "uncertainty/instant_readings.h"

namespace fluidsplat::uncertainty {

// What is said of every reading without the sensor that it belongs to: of values [N][C], NaN where a sensor is silent,
// the expected readings [V].
using Expectation = std::function<void(const float* values, float* expected)>;

// How each sensor's readings follow from those of the others in training: kernel ridge regression in closed form.  A
// network that was not trained with silent sensors says little of a place that it has lost the sensor of; this was made
// for nothing else.
struct ReadingLaw {
  model::Matrix training;                           // [T, V], normalised readings
  std::vector<classical::KernelSettings> settings;  // per sensor, for all others speaking
  std::vector<bool> is_sharper;  // [V]: than the model's own answer, or nearly so; where not, that is asked

  bool is_ever_sharper() const;
  bool is_always_sharper() const;
};

// Kernel, length and ridge of each sensor that predict left-out training cases best when readings have this noise, in
// normalised units.  At most so many cases are kept, evenly spread.
ReadingLaw learn_law(const model::Matrix& training, const InstantReadings& own, double noise);
inline constexpr Index kMostLawCases = 400;

// What the others say of every reading.  With all sensors speaking it is the law where that is sharper, else the model;
// with some silent it is the law alone: how much readings differ from it without these sensors can be found from
// readings of the past (pattern_habits.h), how much they differ from the model cannot, for want of the cases that they
// are from.  A sensor that is silent or left out has no part in it.  Maps for those who speak are made when they are
// first needed.  One thread at a time.
class LeftOutExpectation {
 public:
  // `law` may be null.
  LeftOutExpectation(std::shared_ptr<const ReadingLaw> law, InstantReadings own, Expectation model);
  void operator()(const float* values, float* expected);
  // By the law alone, whether it is sharper or not.
  void by_law(const float* values, float* expected);
  // The same of many instants at once, all normalised [n, V], of whose sensors only those are heard who `speak` [V]:
  // expected [n, V], normalised.
  Eigen::MatrixXd by_law(const model::Matrix& normalized, const std::vector<bool>& speak);

 private:
  const classical::ReadingMap& map_for(const std::vector<bool>& speaks, Index sensor);

  std::shared_ptr<const ReadingLaw> law_;
  InstantReadings own_;
  Expectation model_;
  Eigen::MatrixXd standard_;  // the law's training readings in spreads from their means
  Eigen::VectorXd mean_, spread_;
  // By who speaks, and who is left out.
  std::map<std::pair<std::vector<bool>, Index>, classical::ReadingMap> maps_;
  std::vector<float> normalized_;
};

}  // namespace fluidsplat::uncertainty

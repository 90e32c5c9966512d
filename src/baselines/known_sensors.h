// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>

#include "learn/model/model.h"

namespace fluidsplat::baselines {

// What one case's sensors say that say something: a row of each per reading.
struct Said {
  std::vector<Index> sensors;  // which of the known ones, for those that have an identity; else empty
  Eigen::VectorXd readings;    // as a model sees them: difference from the sensor's mean over how much readings vary
  torch::Tensor positions;     // [n, d] in the unit box
  std::vector<Index> channels;
  Eigen::VectorXd values;  // of the field, normalised
};

// Which reading is which.  Methods that map readings to fields need them in a fixed order.
class KnownSensors {
 public:
  // Sensors are known by their place where that is the same in all cases; by their number where one layout finds other
  // points on every mesh (the same share of every wall, the nearest point with data); and not at all where every case
  // has sensors of its own.
  enum class Identity { kNone, kPlace, kNumber };

  KnownSensors() = default;
  explicit KnownSensors(const learn::TrainingData& data);
  // From what a model file keeps.
  explicit KnownSensors(torch::Tensor table);
  // A row for each reading; throws Error unless its columns are as many as `dim` asks for.
  const torch::Tensor& table() const { return table_; }
  static Index columns(Index dim) { return dim + kColumns; }

  Identity identity() const { return identity_; }
  Index size() const { return table_.size(0); }
  Said match(const learn::Observation& observation, Index b) const;

 private:
  // After the position: channel, number of the sensor, its mean (of the field, normalised), how a reading's unit
  // compares with the field's, identity.
  static constexpr Index kColumns = 5;
  static constexpr float kSamePlace = 1e-4f;  // of the domain
  Index find(const learn::Observation& observation, Index b, Index token) const;

  Identity identity_ = Identity::kNone;
  torch::Tensor table_ = torch::zeros({0, 0});
};

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "field/normalization.h"
#include "field/sensors.h"

namespace fluidsplat::field {

// The sensors of each case of a dataset.  Where they are is apart from the mesh: a layout is found again on every mesh,
// may have no places of its own (then a training draws them anew at every step, so that a case cannot be recognised by
// its sensors), or may be another one for every case.
class SensorPlacement {
 public:
  // One layout for all cases.
  SensorPlacement(SensorLayout layout, const Dataset& dataset);
  // One layout per case; all see the same channels of the data.
  SensorPlacement(std::vector<SensorLayout> per_case, const Dataset& dataset);

  // The same at every call.
  const PlacedSensors& of(Index case_index) const { return placed_[group_of_[case_index]]; }
  // Their places in one training step: sensors without places of their own are drawn from `random`.
  std::vector<Index> draw(Index case_index, const PointSource& mesh, Random& random) const;
  // What they say of a case; positions are those of the mesh points.
  SensorReadings read(const Case& c, Index case_index) const;
  // The same, of which nothing but the sensors' places is read.
  SensorReadings read(const Dataset& dataset, Index case_index) const;

  // Learns from the given cases what each sensor says on average; returns how readings are scaled.
  Scaling learn_means(const Dataset& dataset, const std::vector<Index>& cases, const Scaling& fallback);

  // Whether cases have sensors of their own.
  bool is_per_case() const { return per_case_; }
  // What a model keeps: the one layout, or the first case's.
  const SensorLayout& layout() const { return layout_; }
  // The largest number of sensors of any case.
  Index largest() const;

 private:
  SensorLayout layout_;
  std::vector<PlacedSensors> placed_;
  std::vector<Index> group_of_;  // per case: which of the above, one for each mesh or each case
  bool per_case_ = false;
};

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/normalizer.h"
#include "field/sensors.h"

namespace fluidsplat::field {

// The sensors of a run, snapped to each mesh of a dataset.
class SensorPlan {
 public:
  SensorPlan(SensorLayout layout, const Dataset& dataset);
  // Readings of one case; positions are those of the mesh points.
  SensorReadings read(const Case& c, Index mesh) const;
  const std::vector<Index>& points(Index mesh) const;
  // Learns from the given cases what each sensor usually says; returns how readings are scaled.
  Scaling learn_usual(const Dataset& dataset, const std::vector<Index>& cases, const Scaling& fallback);
  const SensorLayout& layout() const { return layout_; }

 private:
  SensorLayout layout_;
  std::vector<SensorLayout::Snapped> on_mesh_;
};

}  // namespace fluidsplat::field

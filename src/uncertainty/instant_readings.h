// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "model/normalization.h"
#include "model/sensor_layout.h"

namespace fluidsplat::uncertainty {

// What a calibration has to know of an instant's readings [N][C] of a model's own sensors, in physical units, NaN where
// one says nothing.  Allocates nothing after construction.
class InstantReadings {
 public:
  InstantReadings() = default;
  InstantReadings(const model::SensorLayout& own, const model::Normalization& normalization) : sensors_(own.size()) {
    const Index channels = normalization.readings.size();
    for (Index i = 0; i < own.size(); ++i)
      for (const int c : own.channels[i])
        readings_.push_back({i, i * channels + c,
                             own.mean_readings.size() > 0 ? own.mean_readings(i, c) : normalization.readings.mean[c],
                             normalization.readings.scale[c]});
  }

  struct Reading {
    Index sensor, place;  // place: in [N][C]
    float mean, scale;
  };
  // Sensor by sensor, of each the channels that it measures.
  const std::vector<Reading>& readings() const { return readings_; }
  Index size() const { return std::ssize(readings_); }
  Index sensors() const { return sensors_; }

  // Sensors of which a reading is missing.
  Index silent(const float* values) const {
    Index count = 0, last = -1;
    for (const auto& r : readings_)
      if (std::isnan(values[r.place]) && r.sensor != last) ++count, last = r.sensor;
    return count;
  }
  // [size()]
  void normalize(const float* values, float* out) const {
    for (const auto& r : readings_) *out++ = (values[r.place] - r.mean) / r.scale;
  }

 private:
  Index sensors_ = 0;
  std::vector<Reading> readings_;
};

}  // namespace fluidsplat::uncertainty

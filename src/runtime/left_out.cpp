// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/left_out.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace fluidsplat::runtime {
namespace {

Plan plan_at_sensors(const Reconstructor& model, PlanOptions options, const float* features) {
  const auto& d = model.description();
  const auto& sensors = options.sensors ? *options.sensors : d.sensors;
  if (sensors.size() != d.sensors.size())
    fail("the model was calibrated with its own {} sensors, the plan has {} others", d.sensors.size(), sensors.size());
  if (d.spec.features > 0 && !features)
    fail("to hold sensors against each other the model needs its {} features at each of them (the first is \"{}\")",
         d.spec.features, d.schema.features[0].name);
  options.points = sensors.positions.data();
  options.count = sensors.size();
  options.features = features;
  options.gradients = false;
  options.band.reset();
  return model.plan(options);
}

}  // namespace

LeftOutReadings::LeftOutReadings(const Reconstructor& model, const PlanOptions& options, const float* sensor_features)
    : plan_(plan_at_sensors(model, options, sensor_features)),
      own_(model.description().sensors, model.description().normalization),
      channels_(model.description().spec.channels),
      without_(own_.sensors() * channels_),
      field_(own_.sensors() * channels_) {}

void LeftOutReadings::operator()(const float* values, float* expected) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::copy_n(values, without_.size(), without_.begin());
  std::fill_n(expected, own_.size(), kNone);
  Index asked = -1;  // the sensor that field_ was made without
  bool is_known = false;
  for (Index v = 0; v < own_.size(); ++v) {
    const auto& r = own_.readings()[v];
    if (std::isnan(values[r.place])) continue;
    if (r.sensor != asked) {
      if (asked >= 0) std::copy_n(values + asked * channels_, channels_, without_.begin() + asked * channels_);
      asked = r.sensor;
      std::fill_n(without_.begin() + asked * channels_, channels_, kNone);
      // With nobody left to ask there is nothing to say.
      is_known = !std::ranges::all_of(without_, [](float x) { return std::isnan(x); });
      if (is_known) plan_.run(without_.data(), descriptors_, {.field = field_.data()});
    }
    if (is_known) expected[v] = field_[r.place];
  }
}

}  // namespace fluidsplat::runtime

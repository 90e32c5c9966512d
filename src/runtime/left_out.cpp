// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/left_out.h"

#include "base/error.h"
#include "uncertainty/left_out.h"

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
  const auto at_sensors = [&](const float* without) {
    plan_.run(without, descriptors_, {.field = field_.data()});
    return static_cast<const float*>(field_.data());
  };
  uncertainty::ask_without_each(own_, channels_, values, without_.data(), at_sensors, expected);
}

}  // namespace fluidsplat::runtime

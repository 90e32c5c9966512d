// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/shift_trial.h"

#include <cmath>

#include "base/random.h"
#include "reconstruct/left_out_readings.h"
#include "uncertainty/sensor_check.h"
#include "uncertainty/shift_alarm.h"

namespace fluidsplat::calibrate {
namespace {

uncertainty::ShiftAlarm alarm_of(const uncertainty::Calibration& calibration) {
  return {uncertainty::Strangeness(calibration).groups(), calibration.block};
}

}  // namespace

std::vector<double> strangeness_of(reconstruct::FieldModel& model, const field::Dataset& dataset,
                                   const std::vector<Index>& cases,
                                   const std::shared_ptr<const uncertainty::Calibration>& calibration,
                                   const CalibrationHooks& hooks) {
  const field::SensorPlacement placement(model.sensors(), dataset);
  reconstruct::LeftOutModel left_out(model);
  uncertainty::SensorCheck check(calibration, left_out.own(), [&](const float* v, float* e) { left_out(v, e); }, {});
  std::vector<double> out;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto c = dataset.load(cases[k]);
    auto readings = reconstruct::disturb(placement.read(c, cases[k]), {.noise = calibration->noise, .seed = 2000},
                                         model.description().normalization.readings);
    left_out.go_to(readings, reconstruct::descriptors_for(c.descriptors, model.schema()), c.mesh);
    out.push_back(check.check(readings.values.data()).strangeness);
    if (hooks.progress) hooks.progress("asking sensors about each other", Index(k) + 1, std::ssize(cases));
    if (hooks.interrupted && hooks.interrupted()) return {};
  }
  return out;
}

Index false_shift_alarms(const std::vector<double>& normal, const uncertainty::Calibration& calibration, Index frames,
                         std::uint64_t seed) {
  const Index block = calibration.block, blocks = std::ssize(normal) / block;
  if (blocks == 0) return 0;
  Random random(seed);
  const auto fresh = alarm_of(calibration);
  auto alarm = fresh;
  Index alarms = 0;
  for (Index f = 0; f < frames; f += block) {
    const auto first = Index(random.below(std::uint64_t(blocks))) * block;
    for (Index i = 0; i < block; ++i) alarm.add(normal[first + i]);
    if (!alarm.fired()) continue;
    ++alarms;
    alarm = fresh;
  }
  return alarms;
}

Index frames_to_warning(const std::vector<double>& other, const uncertainty::Calibration& calibration) {
  auto alarm = alarm_of(calibration);
  for (std::size_t i = 0; i < other.size(); ++i)
    if (!std::isnan(other[i]) && alarm.add(other[i])) return Index(i) + 1;
  return -1;
}

}  // namespace fluidsplat::calibrate

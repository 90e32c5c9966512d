// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/calibration_text.h"

#include <fmt/format.h>

#include <cmath>

namespace fluidsplat::uncertainty {
namespace {

std::string describe_groups(const Calibration& c) {
  if (c.block == 1) return fmt::format("{} cases", c.groups());
  return fmt::format("{} blocks of {} frames in a row", c.groups(), c.block);
}

std::string describe_scale(const Calibration& c) {
  std::string text = c.scale.is_by_place()
                         ? fmt::format("by place, known at {} points", c.scale.places()->points().rows())
                         : "the same everywhere";
  if (c.layer.is_on())
    text += fmt::format(", times the doubt of the last layer ({} directions of {})", c.layer.directions.rows(),
                        c.layer.width() + 1);
  if (c.distance.training.rows() > 0)
    text += fmt::format(", wider the further readings are from those of {} training cases (power {:.2g})",
                        c.distance.training.rows(), c.distance.power);
  return text;
}

std::string describe_silent(const Calibration& c) {
  std::string numbers;
  for (const auto& r : c.rungs) numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", r.silent);
  return fmt::format("{} of {} sensors", numbers, c.sensors);
}

}  // namespace

std::string describe_false_alarms(const Calibration& c, double asked) {
  const double share = achievable_false_alarms(c, asked);
  auto text = fmt::format("a sound one is taken out in {:.2g} % of instants, on average over calibrations at the most",
                          100 * share);
  if (share > asked)
    text += fmt::format("; {} can promise no less ({:g} % takes {})", describe_groups(c), 100 * asked,
                        std::ceil(1 / asked - 1 - 1e-9));
  return text;
}

std::string describe(const Calibration* calibration) {
  if (!calibration)
    return "calibration: none, so how wrong it may be is not known; \"fluidsplat calibrate\" measures it\n";
  const auto& c = *calibration;
  auto text = fmt::format("calibration: on {} ({}), {}\n", c.data, describe_groups(c), c.chosen);
  text += fmt::format("  {:<11} up to {:.2f} %{}\n", "levels", std::floor(1e4 * c.highest_level()) / 100,
                      c.knows_average() ? ", at least or on average" : "");
  text += fmt::format("  {:<11} {}\n", "silent", describe_silent(c));
  if (c.noise > 0) text += fmt::format("  {:<11} {:g} of how much readings vary in training\n", "noise", c.noise);
  text += fmt::format("  {:<11} {}\n", "scale", describe_scale(c));
  if (c.classes.count() > 1)
    text += fmt::format("  {:<11} {} classes: {}; each has a threshold of its own\n", "places", c.classes.count(),
                        c.classes.meaning());
  if (c.rungs.front().knows_sensors())
    text += fmt::format("  {:<11} {}\n", "sensors", describe_false_alarms(c, kFalseAlarms));
  for (const auto& f : c.functionals)
    text += fmt::format("  {:<11} {}{}\n", "interval of", f.name, f.unit.empty() ? "" : " in " + f.unit);
  return text;
}

}  // namespace fluidsplat::uncertainty

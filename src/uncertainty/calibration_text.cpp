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
  for (const auto& f : c.functionals)
    text += fmt::format("  {:<11} {}{}\n", "interval of", f.name, f.unit.empty() ? "" : " in " + f.unit);
  return text;
}

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: a small folder in the layout of AirfRANS with made-up fields.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/atomic_file.h"
#include "benchmarks/airfoil_case_files.h"
#include "benchmarks/airfoil_splits.h"

namespace fluidsplat::benchmarks {

// Smooth fields that fall to the stream away from the wall; the pressure pushes along the stream and across it.
inline sim::AirfoilSample made_up_flow(const sim::NacaAirfoil& airfoil, double angle, sim::Vec2 p) {
  const double distance = std::max(0.0, airfoil.signed_distance(p)), slowed = 1 - std::exp(-8 * distance);
  const double radians = angle * std::numbers::pi / 180;
  return {slowed * std::cos(radians), slowed * std::sin(radians),
          std::exp(-distance) * (0.3 - 0.5 * p.x - 0.02 * angle * p.y)};
}

inline void write_made_up_case(const AirfransFiles& files, const std::string& text, Index around = 48,
                               Index rings = 12) {
  const auto name = parse_airfrans_name(text);
  const sim::NacaAirfoil airfoil(name.digits);
  write_airfoil_case(files, name, make_airfoil_cloud(airfoil, around, rings),
                     [&](sim::Vec2 p) { return made_up_flow(airfoil, name.angle, p); });
}

// Of both series, at different speeds and angles.
inline std::vector<std::string> made_up_names(Index count) {
  std::vector<std::string> out;
  for (Index k = 0; k < count; ++k) {
    AirfransName name{40 + double(k), -4 + 1.5 * double(k), {2, 4, 12 + 0.5 * double(k)}};
    if (k % 2 == 1) name.digits = {2, 3, 0, 12};
    out.push_back(to_string(name));
  }
  return out;
}

// `count` cases; the last quarter tests in every split.
inline std::vector<std::string> write_made_up_folder(const std::filesystem::path& root, Index count) {
  const auto names = made_up_names(count);
  Manifest manifest;
  for (Index k = 0; k < count; ++k) {
    write_made_up_case({root}, names[k]);
    const bool test = 4 * k >= 3 * count;
    for (const auto* split : {"full", "aoa", "reynolds"})
      manifest[std::string(split) + (test ? "_test" : "_train")].push_back(names[k]);
    if (k < 2) manifest["scarce_train"].push_back(names[k]);
  }
  write_file(AirfransFiles{root}.manifest(), nlohmann::json(manifest).dump());
  return names;
}

}  // namespace fluidsplat::benchmarks

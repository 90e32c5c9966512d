// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fluidsplat::benchmarks {

// What the name of an AirfRANS case says: airFoil2D_SST_<speed>_<angle>_<digits...>, where three digits are a NACA
// airfoil of the 4-digit series and four one of the 5-digit series (sim::NacaAirfoil).
struct AirfransName {
  double speed = 0, angle = 0;  // of the free stream: m/s, degrees
  std::vector<double> digits;
  bool operator==(const AirfransName&) const = default;
};

// An Error says what a name looks like.
AirfransName parse_airfrans_name(const std::string& name);
// Numbers are written to a thousandth, as there.
std::string to_string(const AirfransName& name);

}  // namespace fluidsplat::benchmarks

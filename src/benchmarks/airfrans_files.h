// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the parts of an AirfRANS folder are.
#pragma once

#include <filesystem>
#include <string>

namespace fluidsplat::benchmarks {

// The viscosity of the published set's air, m2/s; its chord is 1 m.
inline constexpr double kAirfransViscosity = 1.56e-5;
// kg/m3, what its pressures, which are p / density, are multiplied by.
inline constexpr double kAirfransDensity = 1.1839;

struct AirfransFiles {
  std::filesystem::path root;

  std::filesystem::path manifest() const { return root / "manifest.json"; }
  std::filesystem::path folder(const std::string& name) const { return root / name; }
  std::filesystem::path internal(const std::string& name) const { return folder(name) / (name + "_internal.vtu"); }
  std::filesystem::path aerofoil(const std::string& name) const { return folder(name) / (name + "_aerofoil.vtp"); }
  std::filesystem::path freestream(const std::string& name) const { return folder(name) / (name + "_freestream.vtp"); }
  // Not in the published set: what the embedded one says of a case, its viscosity among others.
  std::filesystem::path facts(const std::string& name) const { return folder(name) / (name + ".json"); }
  std::filesystem::path predicted_internal(const std::string& name) const {
    return folder(name) / (name + "_internal_predicted.vtu");
  }
  std::filesystem::path predicted_aerofoil(const std::string& name) const {
    return folder(name) / (name + "_aerofoil_predicted.vtp");
  }
};

}  // namespace fluidsplat::benchmarks

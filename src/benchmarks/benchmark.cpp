// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmark.h"

#include <fmt/ranges.h>

#include "base/config.h"
#include "base/error.h"
#include "benchmarks/airfrans_import.h"
#include "benchmarks/car_files.h"
#include "benchmarks/car_set.h"
#include "benchmarks/cavity_set.h"
#include "benchmarks/cylinder_files.h"
#include "benchmarks/ldc3d_files.h"

namespace fluidsplat::benchmarks {

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> all = {
      {"cylinder", "Senseiver's wake of a cylinder at Reynolds number 100 (Cy_Taira.pickle, or the array as .npy)",
       "cylinder", import_cylinder, make_cylinder_file},
      {"ldc3d", "FlowBench's lid-driven cavities with obstacles (LDC_3D_X.npz and LDC_3D_Y.npz)", "cavity3d",
       import_ldc3d,
       [](const auto& folder, const auto& hooks) { return make_cavity_set(folder, CavitySetOptions(), hooks); }},
      {"airfrans", "AirfRANS's airfoils (the folder with manifest.json)", "airfoil", import_airfrans, make_airfrans},
      {"car", "PhySense-Car: the pressure on 100 cars (a folder with pressure_files and velocity_files)", "car",
       import_car, make_car_files},
  };
  return all;
}

const Benchmark& find_benchmark(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& benchmark : all_benchmarks()) {
    if (benchmark.name == name) return benchmark;
    names.push_back(benchmark.name);
  }
  const auto near = nearest_name(name, names);
  fail("benchmark \"{}\": there is none of this name{}; there are {}", name,
       near.empty() ? "" : fmt::format(" (is \"{}\" meant?)", near), fmt::join(names, ", "));
}

}  // namespace fluidsplat::benchmarks

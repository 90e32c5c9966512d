// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/index.h"

// `import` begins a module directive in C++20, so the namespace of this folder has another name.
namespace fluidsplat::importing {

// What a user says of his files, one line of a TOML recipe for each member.  Messages name the line that mends a
// mistake as `key = value`; a program that takes settings in another way can translate it.
struct Recipe {
  std::vector<std::string> files;
  std::string title;

  // What the files hold.
  std::vector<std::string> arrays;
  std::vector<std::string> columns;
  std::string layout;
  std::vector<std::string> channels, units;
  std::vector<Index> select;
  std::string on = "points";

  // Where.
  std::string points, x, y, z, offsets;
  std::vector<double> origin, spacing;
  std::string length_unit;
  std::vector<double> domain_low, domain_high;

  // Where not.
  std::string mask;
  bool mask_inverted = false;
  Index mask_channel = -1;
  std::vector<double> no_data;
  std::string fill_values = "stop";
  std::string moving = "drop";

  // How the dataset is written.
  std::string order = "files";
  Index compress = 0;

  // The wall.
  std::string surface = "no-data", surface_array, normals, areas, faces;
  std::vector<std::string> patches;

  // When, and under which conditions.
  std::string times;
  double time_start = 0, time_step = 1;
  std::string cases;
  std::vector<std::string> descriptors, descriptor_units;
  std::vector<std::string> features, feature_units;
  bool shape = false;

  void bind(Config& config);
  // Throws Error for settings that contradict each other.
  void check() const;
};

}  // namespace fluidsplat::importing

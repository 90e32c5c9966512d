// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace fluidsplat::importing {

struct InputPath {
  std::filesystem::path path;
  double time = std::numeric_limits<double>::quiet_NaN();  // NaN: the file's place in the list says when
};

enum class InputKind { arrays, vtk };

struct InputList {
  InputKind kind = InputKind::arrays;
  std::vector<InputPath> files;
};

// Patterns (*, ? and [..]) become the files they match, in the order a person counts (frame-2 before frame-10); a .pvd
// becomes its files with their times.  All files must be of one kind.
InputList expand_inputs(const std::vector<std::string>& patterns);

// Numbers inside names are compared as numbers.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace fluidsplat::importing

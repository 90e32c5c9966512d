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

// arrays: files of arrays with shapes; vtk: meshes with data; tables: text with a row per point; openfoam: a case
// folder.
enum class InputKind { arrays, vtk, tables, openfoam };

struct InputList {
  InputKind kind = InputKind::arrays;
  std::vector<InputPath> files;
  std::vector<std::string> notes;  // what was done with the list, for people
};

// Patterns (*, ? and [..]) become the files they match, folders the files of theirs that can be read.  Files are in the
// order a person counts (frame-2 before frame-10), however they are given: a shell's own patterns sort otherwise.  A
// .pvd and a ParaView .series become their files with their times.  A folder that is an OpenFOAM case, and a .foam file
// in it, stand for the case.  All files must be of one kind.
InputList expand_inputs(const std::vector<std::string>& patterns);

// The pattern with one * that stands for these files and no others; empty when there is none.
std::string pattern_of(const std::vector<std::string>& files);

// Numbers inside names are compared as numbers.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace fluidsplat::importing

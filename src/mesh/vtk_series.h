// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/index.h"
#include "io/pvd.h"
#include "io/vtk.h"

namespace fluidsplat::mesh {

// Instants as VTK files in a folder, and a .pvd that plays them; one instant in memory at a time.  The series appears
// whole, with finish(), or not at all: until then its files are in a hidden folder beside, and an earlier series of the
// same name stays as it is.
class VtkSeries {
 public:
  // The .pvd will be <folder>/<name>.pvd.
  VtkSeries(std::filesystem::path folder, std::string name);
  ~VtkSeries();
  VtkSeries(const VtkSeries&) = delete;
  VtkSeries& operator=(const VtkSeries&) = delete;

  // Writes <stem>.vti, .vtu or .vtp, as the mesh needs it.
  void add(double time, const std::string& stem, const io::VtkMesh& vtk);
  // After the last instant; returns the file to open.  Instants that all have the time 0 play in order.  Files
  // <name>_<number> of an earlier series that this one has not written are removed.
  std::filesystem::path finish();
  Index size() const { return std::ssize(entries_); }

 private:
  void remove_older() const;

  std::filesystem::path folder_, unfinished_;
  std::string name_;
  std::vector<io::PvdEntry> entries_;
};

}  // namespace fluidsplat::mesh

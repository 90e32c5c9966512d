// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "base/index.h"
#include "io/pvd.h"
#include "io/pvti.h"
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
  // An instant larger than memory, as files of a folder <stem> and an index that opens them as one: images
  // (VtkMesh::first) that make up one of `dimensions` points, <stem>.pvti, or else meshes, <stem>.pvtu.  Pieces have
  // the same arrays.
  void begin_pieces(double time, const std::string& stem, const std::optional<std::array<std::int64_t, 3>>& dimensions);
  void add_piece(const io::VtkMesh& vtk);
  void end_pieces();
  // After the last instant; returns the file to open.  Instants that all have the time 0 play in order.  Files
  // <name>_<number> of an earlier series that this one has not written are removed.
  std::filesystem::path finish();
  Index size() const { return std::ssize(entries_); }

 private:
  void remove_older() const;

  std::filesystem::path folder_, unfinished_;
  std::string name_;
  std::vector<io::PvdEntry> entries_;
  // The instant that is being written in pieces.
  std::string stem_;
  std::optional<std::array<std::int64_t, 3>> dimensions_;
  std::vector<io::PvtiPiece> pieces_;
  io::VtkMesh like_;  // the arrays of the last one, without values
};

}  // namespace fluidsplat::mesh

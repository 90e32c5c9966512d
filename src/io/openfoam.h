// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "io/openfoam_mesh.h"
#include "io/vtk_multiblock.h"

namespace fluidsplat::io {

// A case of OpenFOAM: the folder with system, constant and the times.
class FoamCase {
 public:
  explicit FoamCase(const std::filesystem::path& folder);
  ~FoamCase();
  FoamCase(FoamCase&&) noexcept;

  using Patch = FoamPatch;
  const std::vector<Patch>& patches() const { return patches_; }
  // The instants that have a folder, in order.
  const std::vector<double>& times() const { return times_; }
  // The cells with their values, and the faces of every patch with theirs.  Values are on cells.
  VtkBlocks read(Index instant) const;

 private:
  struct State;
  std::string name_;
  std::vector<Patch> patches_;
  std::vector<double> times_;
  std::unique_ptr<State> state_;
};

}  // namespace fluidsplat::io

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/index.h"
#include "import/input_files.h"
#include "import/recipe.h"
#include "io/vtk.h"

namespace fluidsplat::importing {

// Meshes with data, one for each case, wherever they come from.
class VtkFrames {
 public:
  struct Frame {
    io::VtkMesh mesh;
    // The faces of the wall as polygons with values of their own on them; no cells when there are none.
    io::VtkMesh wall;
  };
  virtual ~VtkFrames() = default;
  virtual Index size() const = 0;
  virtual Frame read(Index index) = 0;
  virtual std::string label(Index index) const = 0;  // for messages
  virtual std::string name(Index index) const = 0;   // of the case
  virtual double time(Index index) const = 0;        // NaN when nothing tells
  // Values are on cells, whatever the recipe says.
  virtual bool cells_only() const { return false; }
  virtual std::vector<std::string> notes() const { return {}; }
};

// One file per case.  Of a multi-block file (.vtm) the blocks are put together; surfaces beside a volume are patches,
// of which the recipe names those that are the wall.
std::unique_ptr<VtkFrames> vtk_file_frames(const Recipe& recipe, const std::vector<InputPath>& files);
// The instants of an OpenFOAM case.  The wall are the patches of the type "wall", or those that the recipe names.
std::unique_ptr<VtkFrames> openfoam_frames(const Recipe& recipe, const std::filesystem::path& folder);

}  // namespace fluidsplat::importing

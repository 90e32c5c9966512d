// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "base/index.h"
#include "field/dataset.h"
#include "io/vtk.h"

namespace fluidsplat::reconstruct {

// Where a field is wanted: points to ask the model at, and a shell (geometry without data) to write the answer in.
struct Target {
  std::shared_ptr<const field::Mesh> mesh;
  io::VtkMesh shell;
  std::vector<Index> place;        // shell point of each mesh point; the others have no data
  std::vector<Index> array_shape;  // of the shell's points as an array, slowest axis first
  const char* extension() const;   // ".vti", ".vtu" or ".vtp"
};

// A mesh of a dataset: an image when its points lie on a regular grid, cells between neighbours on other grids, bare
// points otherwise.
Target target_from_mesh(std::shared_ptr<const field::Mesh> mesh);

// Point arrays of VTK files that tell the wall, as add_mesh_data writes and target_from_vtk reads them.
constexpr const char *kWallArray = "wall", *kWallNormalsArray = "wall_normals", *kWallAreasArray = "wall_areas";

// The points of a .vtu, .vtp, .vti or .vtk file.  Query features are taken from its point arrays of the same name, the
// wall from `wall` and `wall_normals` when they are there.
Target target_from_vtk(const std::filesystem::path& path, const field::Schema& schema);

// A regular grid over a box, `points` along each axis (x, y[, z]).
Target target_from_grid(const std::vector<Index>& points, const field::Box& box);

// Points along each axis of a grid over the box with `longest` points along its longest side.
std::vector<Index> grid_for(const field::Box& box, Index longest);

// The share of the target's points outside the box, where the model was not trained.
double share_outside(const Target& target, const field::Box& box);

}  // namespace fluidsplat::reconstruct

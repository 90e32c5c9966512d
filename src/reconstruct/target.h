// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "mesh/grid.h"
#include "reconstruct/known_region.h"

namespace fluidsplat::reconstruct {

// Where a field is wanted: points to ask the model at, and a shell to write the answer in.
struct Target {
  std::shared_ptr<const field::Mesh> mesh;
  mesh::Shell shell;
};

// A mesh of a dataset.
Target target_from_mesh(std::shared_ptr<const field::Mesh> mesh);

// The points of a VTK file, with features and wall: see mesh::read_mesh_file.
Target target_from_vtk(const std::filesystem::path& path, const field::Schema& schema);

// A regular grid over a box, `points` along each axis (x, y[, z]); where a region says that there were no data, the
// model is not asked.
Target target_from_grid(const std::vector<Index>& points, const field::Box& box, const KnownRegion& region = {});

// The points along each axis of a grid that is not described, of equal steps: in the plane 256 along the longest side;
// in space as many in all as fit the number of points in training, from 20,000 to 2,000,000.
std::vector<Index> default_grid(const field::Box& box, Index points_in_training);

// The share of a mesh's points outside the box, where the model was not trained.
double share_outside(const field::Mesh& mesh, const field::Box& box);

}  // namespace fluidsplat::reconstruct

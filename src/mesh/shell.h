// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/case.h"
#include "io/vtk.h"
#include "mesh/ruler.h"

namespace fluidsplat::mesh {

// A mesh as VTK shows it: geometry without data, and where in it the mesh's points are.  Coordinate a of the mesh is
// VTK's axis a.
struct Shell {
  io::VtkMesh geometry;
  std::vector<Index> place;        // the geometry's point of each mesh point; the others have no data
  std::vector<Index> array_shape;  // of the geometry's points as an array, slowest axis first
};

// An image when the points lie on a regular grid, cells between neighbours on other grids, bare points otherwise.
Shell shell_of(const field::Mesh& mesh);

// An image with every point a point of the mesh, x turning fastest.
Shell image_shell(const std::vector<Ruler>& rulers);

// The geometry of a VTK mesh whose points are the mesh's, in `dim` dimensions.
Shell shell_of(io::VtkMesh vtk, int dim);

// ".vti", ".vtu" or ".vtp", as the kind of the mesh needs it.
const char* extension_of(const io::VtkMesh& vtk);

}  // namespace fluidsplat::mesh

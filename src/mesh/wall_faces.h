// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/faces.h"
#include "io/vtk.h"
#include "mesh/vtk_points.h"

namespace fluidsplat::mesh {

// Gives the wall of a mesh in space the normals and areas that follow from faces between its points, where it has none
// yet.  A mesh without a wall gets one: the points that faces use.  False when a surface is open, so that nothing tells
// its inside.
bool add_patches(field::Mesh& mesh, field::Faces faces);

// The same for the wall of a VTK mesh, whose faces are its polygons.  Where the mesh has its points at the middles of
// cells, all cells must be polygons and they alone are its faces.  An image has no faces.
bool add_patches(field::Mesh& mesh, const io::VtkMesh& vtk, Site site);

// The polygons of a VTK mesh; strips as triangles.
field::Faces polygons(const io::VtkMesh& mesh);

}  // namespace fluidsplat::mesh

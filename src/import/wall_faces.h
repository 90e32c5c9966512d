// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/faces.h"
#include "io/vtk.h"

namespace fluidsplat::importing {

// Gives the wall of a mesh in space the normals and areas that follow from faces between its points, where it has none
// yet.  A mesh without a wall gets one: the points that faces use.  False when a surface is open, so that nothing tells
// its inside.
bool add_patches(field::Mesh& mesh, field::Faces faces);

// The same for a wall whose points are the middles of the faces, all of which must be there.
bool add_patches_of_cells(field::Mesh& mesh, field::Faces faces, const field::Matrix& corners);

// An area as a file gives it, `label` being what messages call the array.
double checked_area(double area, const std::string& label);

// The polygons of a VTK mesh; strips as triangles.
field::Faces polygons(const io::VtkMesh& mesh);
// Every cell as a face, or none when a cell is not a polygon.
field::Faces cells_as_faces(const io::VtkMesh& mesh);

}  // namespace fluidsplat::importing

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"
#include "io/vtk.h"

namespace fluidsplat::mesh {

// The wall of a mesh from arrays that have a tuple for each of its points.

// The points where the array is neither zero nor NaN.
void take_wall(field::Mesh& mesh, const io::VtkArray& on_wall);
// Normals of the wall's points, made unit length, from vectors of three components of which `axes` are the mesh's.
void take_normals(field::Mesh& mesh, const io::VtkArray& normals, const std::vector<int>& axes);
// The areas of the wall's points; `file` is what the message about a bad one calls it.
void take_areas(field::Mesh& mesh, const io::VtkArray& areas, const std::string& file);

// An area as a file gives it, `label` being what messages call the array.
double checked_area(double area, const std::string& label);

}  // namespace fluidsplat::mesh

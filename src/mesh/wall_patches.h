// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"
#include "io/vtk.h"

namespace fluidsplat::mesh {

// A wall of its own from the faces of a mesh's boundary, which look out of the fluid: a point at the middle of each
// face, the normal into the fluid, and the face's area.  In 2-D (`axes` are two) the area becomes a length: it is
// divided by `depth`, the thickness of the one layer of cells.
std::shared_ptr<const field::Mesh> wall_of_faces(const io::VtkMesh& faces, const std::vector<int>& axes, double depth,
                                                 const std::string& file);

}  // namespace fluidsplat::mesh

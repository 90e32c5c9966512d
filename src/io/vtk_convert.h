// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For files that call VTK themselves.

#include <string>

#include "io/vtk.h"

class vtkDataObject;

namespace fluidsplat::io {

// A mesh that VTK has read; `name` is what messages call it.  Every number comes from a file and is checked.
VtkMesh convert_vtk(vtkDataObject* data, const std::string& name);

}  // namespace fluidsplat::io

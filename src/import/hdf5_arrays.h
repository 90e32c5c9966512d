// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/array_file.h"

namespace fluidsplat::importing {

// HDF5, NetCDF-4 (fill values become NaN, scale and offset are applied, dimensions name the axes) and MATLAB 7.3.
std::shared_ptr<const ArrayFile> open_hdf5_arrays(const std::filesystem::path& path);

// Rows of an array in memory, along its first axis.
io::Array rows_of(const io::Array& array, Index first, Index count);

// What the name of an axis says it is, as a letter of a layout: t, z, y, x, n (points), c; 0 when it says nothing.
char axis_letter(std::string name);

}  // namespace fluidsplat::importing

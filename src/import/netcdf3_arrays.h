// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/array_file.h"

namespace fluidsplat::importing {

// NetCDF of the classic formats, read as NetCDF-4 is: fill values become NaN, scale and offset are applied, dimensions
// name the axes.
std::shared_ptr<const ArrayFile> open_netcdf3_arrays(const std::filesystem::path& path);

}  // namespace fluidsplat::importing

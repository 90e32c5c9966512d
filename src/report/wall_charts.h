// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/csv.h"

namespace fluidsplat::report {

// Charts of what reconstruct::WallSeries gathers: forces.svg, coefficients over time, and in 2-D wall_pressure.svg, the
// pressure coefficient along the wall: its mean, least and most over time.  Returns the names of the files.
std::vector<std::string> write_wall_charts(const io::Table& forces, const io::Table& pressure,
                                           const std::filesystem::path& folder);

}  // namespace fluidsplat::report

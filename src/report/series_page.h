// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "reconstruct/reconstruct_series.h"

namespace fluidsplat::report {

// What a series of readings was made into, as one HTML page for people: which sensors were doubted and when, whether
// the flow is one that the model knows, calibrated numbers over time with their intervals, and the last instant with
// the width of its band.  Writes folder/report.html and returns its name.
std::filesystem::path write_series_page(const reconstruct::SeriesReport& series, const field::Schema& schema,
                                        const std::filesystem::path& folder);

}  // namespace fluidsplat::report

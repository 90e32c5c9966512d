// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "reconstruct/comparison.h"

namespace fluidsplat::report {

// index.html in the folder: what to use and why, a picture of all errors, the table.  Returns the file.
std::filesystem::path write_comparison_page(const reconstruct::Comparison& comparison,
                                            const std::filesystem::path& folder);

}  // namespace fluidsplat::report

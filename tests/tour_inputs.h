// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace fluidsplat::tests {

// Makes the users' files that docs/tour.md speaks of: small flows, one in each of five formats.
void write_tour_inputs(const std::filesystem::path& folder);

}  // namespace fluidsplat::tests

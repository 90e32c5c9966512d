// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "field/forces.h"

namespace fluidsplat::app {

constexpr const char* kForcesHelp =
    "drag, lift and moment from the pressure on the wall: a TOML file with a [forces] section, or settings of it "
    "(forces.velocity=1.0 ...), or both";

// What --forces was given; nothing when it was not.  Checked against the schema.
std::optional<field::ForceSettings> read_forces(const std::vector<std::string>& given, const field::Schema& schema);

}  // namespace fluidsplat::app

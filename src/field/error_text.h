// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fluidsplat::field {

// A relative error for a person: four decimals, or two digits where these would say nothing.
std::string error_text(double error);

}  // namespace fluidsplat::field

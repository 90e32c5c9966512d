// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace fluidsplat::reproduce {

// The files of configs/ by name, "cylinder/surface-8", as they were when the program was built.
const std::map<std::string, std::string>& embedded_configs();

}  // namespace fluidsplat::reproduce

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fluidsplat {

// What the system calls its processor; empty where it does not tell.
std::string processor();

}  // namespace fluidsplat

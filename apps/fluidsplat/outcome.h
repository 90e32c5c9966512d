// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace fluidsplat::app {

// Runs a command, says on standard error what went wrong, and gives the program's exit code: what the command returns,
// 1 for a user's mistake or bad input, 3 for a mistake of ours.
int run_and_tell(const std::function<int()>& command);

}  // namespace fluidsplat::app

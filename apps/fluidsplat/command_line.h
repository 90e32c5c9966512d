// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fluidsplat::app {

// The command line of this process, as remember_command() (run_evaluation.h) was told it.
const std::string& command_line();

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fluidsplat::app {

// Every command with its help and options, as JSON: what the front program answers from, and what man pages and shell
// completions are made of.
std::string describe_commands(CLI::App& app);

}  // namespace fluidsplat::app

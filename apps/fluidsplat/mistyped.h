// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fluidsplat::app {

// What is wrong with words that could not be parsed, when it is a command or an option that does not exist (with the
// one that may be meant), or a command that is missing.  Empty when it is something else.
std::string explain_mistake(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace fluidsplat::app

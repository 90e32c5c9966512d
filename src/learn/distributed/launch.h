// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::learn {

struct LaunchRequest {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  Index ranks = 2;
  std::function<bool()> interrupted;  // asked now and then; true asks all ranks to stop
};

// Starts a program several times on this machine, as ranks 0 to ranks - 1 of one group, and waits for all of them. Once
// one has failed, those that do not notice by themselves are ended; none outlives this process.  False when any has
// failed; throws Error when none of those that failed can have said why.
bool launch(const LaunchRequest& request);

}  // namespace fluidsplat::learn

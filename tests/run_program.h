// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace fluidsplat::tests {

struct Outcome {
  int exit_code = -1;  // 128 + signal when it was killed
  std::string out, err;
};

// Runs the fluidsplat program in `folder` and waits for it.
Outcome run(const std::vector<std::string>& arguments, const std::string& folder);
// Starts it and returns at once; its output is dropped.
pid_t start(const std::vector<std::string>& arguments, const std::string& folder);

}  // namespace fluidsplat::tests

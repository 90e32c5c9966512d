// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::app {

struct InitOptions {
  std::string data, out = "config.toml", run, csv;
  double minutes = 10;
  Index random = 0, wall = 0, random_wall = 0, seed = 1;
  std::vector<std::string> channels;
  bool force = false;
};

// Writes a config for the dataset and prints why it is what it is.
void write_config(const InitOptions& options);

}  // namespace fluidsplat::app

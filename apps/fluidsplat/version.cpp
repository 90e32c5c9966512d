// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/commands.h"

namespace fluidsplat::app {

void add_version(CLI::App& app) {
  app.add_subcommand("version", "print the version")->callback([] {
    fmt::print("fluidsplat {}\n", FLUIDSPLAT_VERSION);
  });
}

}  // namespace fluidsplat::app

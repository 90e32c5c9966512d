// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/commands.h"
#include "apps/theory_commands.h"

namespace fluidsplat::app {

void add_theory(CLI::App& app) {
  auto* theory = app.add_subcommand("theory", "how many primitives sensors support, and why");
  theory->require_subcommand(1);
  add_theory_advise(*theory);
  add_theory_oracle(*theory);
  add_theory_rates(*theory);
  add_theory_risk(*theory);
  add_theory_capacity(*theory);
}

}  // namespace fluidsplat::app

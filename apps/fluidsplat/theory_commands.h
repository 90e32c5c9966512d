// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// The sub-commands of `fluidsplat theory`: each writes a CSV file and a page with a figure.
namespace fluidsplat::app {

void add_theory_advise(CLI::App& parent);
void add_theory_oracle(CLI::App& parent);
void add_theory_rates(CLI::App& parent);
void add_theory_risk(CLI::App& parent);
void add_theory_capacity(CLI::App& parent);

}  // namespace fluidsplat::app

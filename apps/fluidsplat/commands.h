// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// One function per sub-command: it declares the command's options and what runs when it is chosen.
namespace fluidsplat::app {

void add_data(CLI::App& app);
void add_init(CLI::App& app);
void add_launch(CLI::App& app);
void add_train(CLI::App& app);
void add_eval(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_faults(CLI::App& app);
void add_compare(CLI::App& app);
void add_readings(CLI::App& app);
void add_reconstruct(CLI::App& app);
void add_inspect(CLI::App& app);
void add_demo(CLI::App& app);
void add_theory(CLI::App& app);
void add_report(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_version(CLI::App& app);

}  // namespace fluidsplat::app

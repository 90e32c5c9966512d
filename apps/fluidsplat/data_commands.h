// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// The sub-commands of `fluidsplat data`.
namespace fluidsplat::app {

void add_make_cavity3d(CLI::App& make);
void add_data_import(CLI::App& data);
void add_data_info(CLI::App& data);
void add_data_probes(CLI::App& data);
void add_data_export(CLI::App& data);
void add_data_order(CLI::App& data);
// Of `fluidsplat data make`.
void add_make_car(CLI::App& make);

// ... and of `fluidsplat data make`.
void add_make_airfoil(CLI::App& make);

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/data_commands.h"
#include "import/probe_tables.h"

namespace fluidsplat::app {

void add_data_probes(CLI::App& data) {
  struct Options {
    std::string folder, data, sensors = "sensors.csv", readings = "readings.csv";
  };
  auto o = std::make_shared<Options>();
  auto* command = data.add_subcommand("probes", "OpenFOAM's probes as sensors and readings");
  command->add_option("folder", o->folder, "postProcessing/NAME, or the case folder")->required();
  command->add_option("--data", o->data, "the dataset they belong to: its channels and coordinates are kept");
  command->add_option("--sensors", o->sensors, "the CSV of sensors to write");
  command->add_option("--readings", o->readings, "the CSV of readings to write");
  command->callback([o] {
    const auto tables = importing::write_probe_tables(o->folder, o->data, o->sensors, o->readings);
    fmt::print("{}: {} sensors; {}: {} instants from {:g} to {:g}\n", o->sensors, tables.sensors, o->readings,
               tables.instants, tables.first, tables.last);
  });
}

}  // namespace fluidsplat::app

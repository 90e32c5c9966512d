// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "apps/commands.h"
#include "apps/write_config.h"

namespace fluidsplat::app {

void add_init(CLI::App& app) {
  auto o = std::make_shared<InitOptions>();
  auto* command = app.add_subcommand("init", "look at a dataset and write a training config that suits it");
  command->add_option("dataset", o->data, "the dataset")->required();
  command->add_option("--out", o->out, "the config to write");
  command->add_option("--run", o->run, "folder for the run (default: runs/ and the dataset's name)");
  command->add_option("--minutes", o->minutes, "what training may take on this machine")->check(CLI::Range(0.01, 1e5));
  auto* sensors = command->add_option_group("sensors", "where the sensors are (default: what suits the data)");
  sensors->add_option("--sensors", o->random, "so many, at random places")->check(CLI::Range(1, 100000));
  sensors->add_option("--sensors-csv", o->csv, "a CSV: a column per coordinate; optional columns name and channels");
  sensors->add_option("--sensors-wall", o->wall, "so many, at equal distances along the wall (2-D)")
      ->check(CLI::Range(1, 100000));
  sensors->add_option("--sensors-random-wall", o->random_wall, "so many, at random points of the wall")
      ->check(CLI::Range(1, 100000));
  sensors->require_option(0, 1);
  command->add_option("--channels", o->channels, "the channels that the sensors see (default: all)")->delimiter(',');
  command->add_option("--seed", o->seed, "of random sensors")->check(CLI::NonNegativeNumber);
  command->add_flag("--force", o->force, "replace a config that is there");
  command->callback([o] { write_config(*o); });
}

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "apps/data_commands.h"
#include "apps/make_wake.h"
#include "base/error.h"

namespace fluidsplat::app {
namespace {

void add_cylinder(CLI::App& make) {
  struct Options {
    std::string out = "data/cylinder.h5", quality = "fine";
    benchmarks::CylinderWakeOptions wake;
    std::vector<double> reynolds = {100};
    std::string shard = "1/1";
    double cells = 0, length = 1;
  };
  auto o = std::make_shared<Options>();
  auto* command =
      make.add_subcommand("cylinder", "simulate the wake of a cylinder (112 x 192 pixels, 12 per diameter)");
  command->add_option("--out", o->out, "the dataset to write");
  command->add_option("--frames", o->wake.frames, "how many, of each Reynolds number")->check(CLI::Range(1, 1000000));
  command->add_option("--quality", o->quality, "quick: for a first look; fine: to judge models on")
      ->check(CLI::IsMember({"quick", "fine"}));
  command
      ->add_option("--reynolds", o->reynolds, "Reynolds number, or several (60,80,100), which become a descriptor Re")
      ->delimiter(',')
      ->check(CLI::Range(50.0, 300.0));
  command
      ->add_option("--transient", o->wake.transient,
                   "D/U after the start that the frames cover, from the first vortices to shedding "
                   "(0: frames of the settled wake)")
      ->check(CLI::Range(0.0, 10000.0));
  command->add_option("--cells", o->cells, "lattice cells per diameter (0: what the quality says)")
      ->check(CLI::Range(0.0, 200.0));
  command
      ->add_option(
          "--length", o->length,
          "of the body along the stream, in its heights, which lengths are then in: 1 is a circle, else an ellipse")
      ->check(CLI::Range(0.2, 5.0));
  command->add_flag("--all-channels", o->wake.velocity_and_pressure, "write u, v and p beside the vorticity");
  command->add_option(
      "--shard", o->shard,
      "one of several processes, on machines that share the folder, which share the Reynolds numbers: 1/2");
  command->callback([o] {
    const auto shard = parse_shard(o->shard);
    if (o->reynolds.size() < 2 && !shard.is_whole())
      fail("--shard {}: the wake of one Reynolds number is one simulation; share several (--reynolds 60,80,100)",
           o->shard);
    o->wake.flow = o->quality == "quick" ? sim::CylinderCase::quick() : sim::CylinderCase::fine();
    if (o->cells > 0) o->wake.flow.cells_per_diameter = o->cells;
    o->wake.flow.length = o->length;
    if (o->reynolds.size() > 1) {
      make_wakes(o->out, o->wake, o->reynolds, shard);
      return;
    }
    o->wake.flow.reynolds = o->reynolds.front();
    make_wake(o->out, o->wake);
  });
}

}  // namespace

void add_data(CLI::App& app) {
  auto* data = app.add_subcommand("data", "make, import and look at datasets");
  data->require_subcommand(1);
  auto* make = data->add_subcommand("make", "make a dataset with an embedded solver");
  make->require_subcommand(1);
  add_cylinder(*make);
  add_make_cavity3d(*make);
  add_make_airfoil(*make);
  add_make_car(*make);
  add_data_import(*data);
  add_data_probes(*data);
  add_data_info(*data);
  add_data_export(*data);
  add_data_order(*data);
}

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/data_commands.h"
#include "apps/progress_hooks.h"
#include "base/interrupt.h"
#include "benchmarks/airfoil_set.h"

namespace fluidsplat::app {

void add_make_airfoil(CLI::App& make) {
  struct Options {
    std::string shard = "1/1", out = "data/airfoil";
    benchmarks::AirfoilSetOptions set;
  };
  auto o = std::make_shared<Options>();
  auto* command = make.add_subcommand(
      "airfoil", "simulate laminar flow past random NACA airfoils, as files in the layout of AirfRANS");
  command->add_option("--out", o->out, "the folder to write; what is there already is kept and gone on with");
  command->add_option("--cases", o->set.cases, "how many")->check(CLI::Range(1, 1000000));
  command->add_option("--seed", o->set.seed, "of shapes, Reynolds numbers and angles");
  command->add_option("--angle-least", o->set.angle_least, "of attack, degrees")->check(CLI::Range(-30.0, 30.0));
  command->add_option("--angle-most", o->set.angle_most, "of attack, degrees")->check(CLI::Range(-30.0, 30.0));
  command->add_option("--thickness-least", o->set.thickness_least, "percent of the chord")
      ->check(CLI::Range(4.0, 40.0));
  command->add_option("--thickness-most", o->set.thickness_most, "percent of the chord")->check(CLI::Range(4.0, 40.0));
  command->add_option("--cells", o->set.cells_per_chord, "lattice cells per chord")->check(CLI::Range(16.0, 1000.0));
  command->add_option("--threads", o->set.threads, "cases at a time (0 = OMP_NUM_THREADS or all processors)")
      ->check(CLI::Range(0, 1024));
  command->add_option("--shard", o->shard,
                      "one of several processes, on machines that share the folder, which share the cases: 1/2");
  command->callback([o] {
    o->set.shard = parse_shard(o->shard);
    ProgressHooks progress;
    const auto outcome = benchmarks::make_airfoil_set(o->out, o->set, progress.hooks());
    progress.finish();
    for (const auto& note : outcome.notes) fmt::print("{}\n", note);
    if (!outcome.complete && !interrupted()) {
      fmt::print("part {} of {} is done; manifest.json comes with the last\n", o->set.shard.index, o->set.shard.count);
      return;
    }
    if (!outcome.complete) {
      fmt::print(stderr, "interrupted; the finished cases are kept, the same command goes on\n");
      return;
    }
    fmt::print(
        "{0}: {1} cases; \"fluidsplat data import --benchmark airfrans {0} --out {0}.h5\" makes a dataset of them\n",
        o->out, outcome.cases);
  });
}

}  // namespace fluidsplat::app

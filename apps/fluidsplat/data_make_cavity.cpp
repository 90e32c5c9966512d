// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/data_commands.h"
#include "apps/progress_hooks.h"
#include "base/interrupt.h"
#include "benchmarks/cavity_set.h"

namespace fluidsplat::app {

void add_make_cavity3d(CLI::App& make) {
  struct Options {
    std::string shard = "1/1", out = "data/cavity3d";
    benchmarks::CavitySetOptions set;
  };
  auto o = std::make_shared<Options>();
  auto* command = make.add_subcommand(
      "cavity3d",
      "simulate lid-driven cavities with obstacles, as FlowBench's files (goes on where it was interrupted)");
  command->add_option("--out", o->out, "the folder to write");
  command->add_option("--cases", o->set.cases, "how many; ten in a row share an obstacle")
      ->check(CLI::Range(1, 100000));
  command->add_option("--size", o->set.size, "cells along a side")->check(CLI::Range(8, 256));
  command->add_option("--refine", o->set.refine, "lattice cells along a side of each of them, at least")
      ->check(CLI::Range(1, 8));
  command->add_option("--reynolds-most", o->set.reynolds_most, "thin fluids take most of the time")
      ->check(CLI::Range(100.0, 1000.0));
  command->add_option("--seed", o->set.seed, "of obstacles and Reynolds numbers");
  command->add_option("--shard", o->shard,
                      "one of several processes, on machines that share the folder, which share the cases: 1/2");
  command->callback([o] {
    o->set.shard = parse_shard(o->shard);
    ProgressHooks progress;
    const auto outcome = benchmarks::make_cavity_set(o->out, o->set, progress.hooks());
    progress.finish();
    for (const auto& note : outcome.notes) fmt::print("{}\n", note);
    if (!outcome.complete && !interrupted()) {
      fmt::print("part {} of {} is done; the files of the set come with the last\n", o->set.shard.index,
                 o->set.shard.count);
      return;
    }
    if (!outcome.complete) {
      fmt::print(stderr, "interrupted; the same command goes on with what is missing\n");
      return;
    }
    fmt::print(
        "{0}: {1} steady cavities of {2}^3 cells; go on with\n"
        "  fluidsplat data import --benchmark ldc3d {0} --out {0}.h5\n",
        o->out, outcome.cases, o->set.size);
  });
}

}  // namespace fluidsplat::app

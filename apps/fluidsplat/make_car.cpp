// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/data_commands.h"
#include "apps/progress_hooks.h"
#include "base/interrupt.h"
#include "benchmarks/car_set.h"

namespace fluidsplat::app {
namespace {

void make_cars(const std::string& out, const benchmarks::CarSetOptions& options) {
  ProgressHooks progress;
  const auto outcome = benchmarks::make_car_set(out, options, progress.hooks());
  progress.finish();
  for (const auto& note : outcome.notes) fmt::print("{}\n", note);
  if (!outcome.complete && !interrupted())
    return fmt::print("part {} of {} is done; cars.json comes with the last\n", options.shard.index,
                      options.shard.count);
  if (!outcome.complete) {
    fmt::print(stderr, "interrupted after {} of {} cases; the same command goes on\n", outcome.cases, options.cases);
    return;
  }
  fmt::print("{}: {} cases; make a dataset of them with \"fluidsplat data import --benchmark car {} --out cars.h5\"\n",
             out, outcome.cases, out);
}

}  // namespace

void add_make_car(CLI::App& make) {
  struct Options {
    std::string out = "data/car", shard = "1/1";
    benchmarks::CarSetOptions set;
  };
  auto o = std::make_shared<Options>();
  auto* command =
      make.add_subcommand("car", "the pressure on random cars, by a panel method, as files of PhySense-Car");
  command->add_option("--out", o->out, "the folder to write");
  command->add_option("--cases", o->set.cases, "how many cars")->check(CLI::Range(2, 100000));
  command->add_option("--seed", o->set.seed, "of shapes, speeds and yaw angles");
  command->add_option("--rows", o->set.flow.rows, "about as many points on each car (the published have 95000)")
      ->check(CLI::Range(100, 2000000));
  command->add_option("--panel", o->set.flow.panel_size, "size of the panels, m")->check(CLI::Range(0.04, 0.5));
  command->add_option("--threads", o->set.flow.threads, "0 = OMP_NUM_THREADS or all processors")
      ->check(CLI::Range(0, 1024));
  command->add_option("--shard", o->shard,
                      "one of several processes, on machines that share the folder, which share the cars: 1/2");
  command->callback([o] {
    o->set.shard = parse_shard(o->shard);
    make_cars(o->out, o->set);
  });
}

}  // namespace fluidsplat::app

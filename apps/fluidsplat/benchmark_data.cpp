// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/benchmark_data.h"

#include <fmt/format.h>

#include "apps/progress_hooks.h"
#include "benchmarks/prepare.h"

namespace fluidsplat::app {
namespace {

// False when there is no dataset because the user interrupted.
bool print_outcome(const benchmarks::Outcome& outcome, const std::string& file) {
  for (const auto& note : outcome.notes) fmt::print("{}\n", note);
  if (!outcome.complete) {
    fmt::print(stderr, "interrupted; there is no dataset yet, the same command goes on where it can\n");
    return false;
  }
  fmt::print("{}: {} cases\n", file, outcome.cases);
  return true;
}

}  // namespace

void import_benchmark(const std::string& name, const std::string& source, const std::string& out) {
  ProgressHooks progress;
  const auto outcome = benchmarks::find_benchmark(name).import(source, out, progress.hooks());
  progress.finish();
  if (print_outcome(outcome, out)) fmt::print("look at it with \"fluidsplat data info {}\"\n", out);
}

std::string prepare_benchmark(const std::string& name, const std::string& source, const std::string& file) {
  ProgressHooks progress;
  const auto prepared = benchmarks::prepare(benchmarks::find_benchmark(name), source, file, progress.hooks());
  progress.finish();
  if (prepared.made && !print_outcome(prepared.outcome, prepared.file.string())) return {};
  return prepared.file.string();
}

}  // namespace fluidsplat::app

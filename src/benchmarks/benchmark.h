// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/run_hooks.h"

namespace fluidsplat::benchmarks {

// What came of making or importing a benchmark's data.
struct Outcome {
  bool complete = true;  // false: interrupted; what is finished is kept where that can be gone on with
  Index cases = 0;
  std::vector<std::string> notes = {};  // how the files were understood, and what was left out and why, for people
};

inline Outcome interrupted_outcome() {
  return {false, 0, {}};
}

// A published data set: how its files become a Dataset with the splits of its protocol, and the data that this program
// makes in its stead, in the same layout, so that they go the same way.
struct Benchmark {
  std::string name;
  std::string what;      // in one line
  std::string embedded;  // what the embedded data are called: `data make NAME`
  std::function<Outcome(const std::filesystem::path& source, const std::filesystem::path& dataset, const RunHooks&)>
      import;
  // Makes the embedded data with their usual settings where `import` finds them.
  std::function<Outcome(const std::filesystem::path& source, const RunHooks&)> make;
};

const std::vector<Benchmark>& all_benchmarks();
// An Error lists those that there are.
const Benchmark& find_benchmark(const std::string& name);

}  // namespace fluidsplat::benchmarks

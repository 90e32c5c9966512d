// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "benchmarks/benchmark.h"

namespace fluidsplat::benchmarks {

// A benchmark's dataset, ready to be opened.
struct Prepared {
  std::filesystem::path file;
  bool made = false;  // just now; `outcome` then says how
  Outcome outcome = {};
};

// `source` is "embedded" or where the published files are.  The dataset of embedded data is `file`, that of a folder F
// stands beside it as <file's stem>-<F's name>.h5, so that the two are never mistaken for each other.  What is there
// is taken as it is; what is not is made, embedded data by simulating them first, in a folder beside the dataset.
Prepared prepare(const Benchmark& benchmark, const std::string& source, const std::filesystem::path& file,
                 const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/shard.h"
#include "benchmarks/benchmark.h"
#include "sim/car_flow.h"

namespace fluidsplat::benchmarks {

struct CarSetOptions {
  Index cases = 100;
  std::uint64_t seed = 1;
  sim::CarFlowSettings flow;
  Shard shard;  // of the cars: several processes may share the folder
};

// Random cars in ideal flow, in the files of PhySense-Car (car_raw.h): the embedded stand-in for the fourth benchmark.
// cars.json beside them has what they were made with, the measures of each car and a hash of each file.
//
// A case that is there, whole and made with these options is not made again, so an interrupted run goes on where it
// stopped; one that is damaged or was made with others is.  A car whose flow cannot be right is drawn anew, which
// cars.json and the notes say.  A folder with cars that this program did not make is refused.
Outcome make_car_set(const std::filesystem::path& folder, const CarSetOptions& options, const RunHooks& hooks);

// With the usual options.
Outcome make_car_files(const std::filesystem::path& folder, const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/run_hooks.h"
#include "reproduce/store.h"

namespace fluidsplat::reproduce {

// A number that came out otherwise.
struct Difference {
  std::string what;
  double before = 0, now = 0;
};

struct Replay {
  Finished before, now;
  std::vector<Difference> differences;  // none: all numbers agree
  std::vector<std::string> notes;       // what is different about this machine or program
};

// Errors that agree to this share of themselves are the same: the rounding of another machine is far below it, another
// seed far above.
inline constexpr double kAgreement = 1e-3;

// Compares errors, steps and parameters; times are no part of it.
std::vector<Difference> differences(const Outcome& before, const Outcome& now);

struct ReplayRequest {
  std::filesystem::path manifest;  // with metrics.json beside it
  std::filesystem::path data;      // the folder of the datasets
  std::filesystem::path work;      // where it is trained again
  std::map<std::string, std::string> sources = {};
};

// Does a run again, with the same settings and number of steps, from its beginning.  Throws Error when the data are
// others than those of the manifest.  Nothing when the hooks stopped it.
std::optional<Replay> replay(const ReplayRequest& request, const RunHooks& hooks);

}  // namespace fluidsplat::reproduce

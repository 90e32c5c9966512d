// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "base/run_hooks.h"
#include "reproduce/data_folder.h"
#include "reproduce/store.h"

namespace fluidsplat::reproduce {

// Carries out runs.  A network's training lives in a folder of its own in `work` and goes on from there after any
// interruption; classical methods are fitted in memory.
class Executor {
 public:
  Executor(std::filesystem::path work, Index cases);
  ~Executor();

  // Trains or fits, and judges.  Nothing when the hooks stopped it; what was trained is kept.  Throws Error when the
  // run's folder is another process's, or when training fails.
  std::optional<Finished> execute(const Run& run, const BenchmarkData& data, const RunHooks& hooks);
  // The same training with the very settings of a manifest, in a folder of its own, from its beginning.
  std::optional<Finished> repeat(const Manifest& manifest, const BenchmarkData& data, const RunHooks& hooks);

  // Where a run's model is.
  std::filesystem::path model_file(const Run& run, const std::string& data_hash) const;

 private:
  struct Classical;
  std::optional<Finished> carry_out(const std::filesystem::path& folder, bool measure, const Run& run,
                                    const BenchmarkData& data, const RunHooks& hooks);
  std::optional<Outcome> fit(const Run& run, const BenchmarkData& data, const RunHooks& hooks);
  // `done`: the settings as they were in the end.
  std::optional<Outcome> train_in(const std::filesystem::path& folder, bool measure, const Run& run,
                                  const BenchmarkData& data, learn::TrainConfig& done, const RunHooks& hooks);

  std::filesystem::path work_;
  Index cases_;                           // unseen ones to judge by, at most; 0: all
  std::unique_ptr<Classical> classical_;  // the last layout's
};

}  // namespace fluidsplat::reproduce

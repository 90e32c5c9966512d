// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "reconstruct/comparison.h"

namespace fluidsplat::reconstruct {

// The best of the methods that need no training, and how it does on the cases that a run was judged by.
struct BestClassical {
  std::string method;
  Errors errors;
  double seconds_to_fit = 0;
};

// A run's folder keeps it in this file.
inline constexpr const char* kClassicalFile = "classical.json";
void write_best_classical(const std::filesystem::path& folder, const BestClassical& best);
// Nothing when the run has none.  Throws Error, naming the file, when it is damaged.
std::optional<BestClassical> read_best_classical(const std::filesystem::path& folder);

}  // namespace fluidsplat::reconstruct

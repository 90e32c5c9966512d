// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "field/dataset.h"

namespace fluidsplat::mesh {

struct ExportHooks {
  std::function<void(Index done, Index total)> progress = {};
  std::function<bool()> interrupted = {};
};

struct ExportReport {
  Index cases = 0;
  std::filesystem::path series;  // the .pvd that plays them
};

// Writes `count` cases of a dataset from `first` on (0: all that follow) as <folder>/case_<index>.vti, .vtu or .vtp
// with channels, features and wall, and cases.pvd.  Throws Error when there is no case `first`.  An interrupt ends the
// series early.
ExportReport export_cases(const field::Dataset& dataset, Index first, Index count, const std::filesystem::path& folder,
                          const ExportHooks& hooks = {});

}  // namespace fluidsplat::mesh

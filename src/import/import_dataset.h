// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "base/index.h"
#include "import/recipe.h"

namespace fluidsplat::importing {

struct ImportHooks {
  std::function<void(const std::string& what, Index done, Index total)> progress;
  std::function<bool()> interrupted;
};

struct ImportReport {
  Index cases = 0, meshes = 0;
  Index points_least = 0, points_most = 0;  // over the meshes, as they are kept
  Index wall_points = 0;                    // over all meshes
  double no_data_share = 0;                 // of all points of all cases, before anything is dropped
  Index dropped = 0;                        // points with data in some cases only, left out of all of them
  std::vector<std::string> notes;
  bool complete = true;  // false: interrupted, nothing was written
};

// Reads a user's files as the recipe says and writes a dataset, one case in memory at a time.  The file appears when
// all is well, or not at all.
ImportReport import_dataset(const Recipe& recipe, const std::filesystem::path& out, const ImportHooks& hooks = {});

}  // namespace fluidsplat::importing

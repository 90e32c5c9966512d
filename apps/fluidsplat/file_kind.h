// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace fluidsplat::app {

enum class FileKind { dataset, model, config };

// Throws Error when a file is plainly of another kind than the one that is asked for: a dataset given for a config, a
// model for a dataset.  What is not recognised, or not there, passes: its reader knows better what to say.
void expect_kind(const std::filesystem::path& file, FileKind wanted);

}  // namespace fluidsplat::app

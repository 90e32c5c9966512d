// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "reproduce/sheet.h"

namespace fluidsplat::reproduce {

// README.md of a folder of results.  What is between its two marks is written anew: one table of who wins where, which
// of the paper's claims hold, and what was run; all else in the file is left as people wrote it.  False, and nothing
// written, when there are no runs.
bool write_front_page(const std::vector<Finished>& runs, const std::filesystem::path& folder);

inline constexpr const char *kBegin = "<!-- results -->", *kEnd = "<!-- end of results -->";

// The part between the marks.
std::string front_page_text(const std::vector<Finished>& runs);

}  // namespace fluidsplat::reproduce

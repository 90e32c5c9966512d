// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fluidsplat::importing {

// What is inside a user's files, before anything is decided.
struct Contents {
  std::vector<std::string> lines;
  // A recipe that would import them, as far as it can be guessed: keys and values.
  std::vector<std::pair<std::string, std::string>> recipe;
};

Contents look_inside(const std::vector<std::string>& files);

}  // namespace fluidsplat::importing

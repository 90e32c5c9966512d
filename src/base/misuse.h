// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>

namespace fluidsplat {

// Throws std::logic_error: a function was called as its header forbids.  No user can mend that, so it is never an
// Error; the program calls it an internal one.
template <typename... Args>
[[noreturn]] void misuse(fmt::format_string<Args...> text, Args&&... args) {
  throw std::logic_error(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace fluidsplat

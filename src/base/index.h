// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace fluidsplat {

// The type of every count and index.  Signed, so that differences and loops downwards are what they look like, and the
// type that std::ssize, Eigen and libtorch use, so that nothing has to be cast between them.
using Index = std::ptrdiff_t;
static_assert(std::is_same_v<Index, std::int64_t>, "libtorch's sizes are int64_t");

}  // namespace fluidsplat

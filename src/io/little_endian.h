// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <string>

namespace fluidsplat::io {

static_assert(std::endian::native == std::endian::little, "the file formats here are little-endian");

// Unaligned little-endian integers of binary formats.
template <std::integral T>
T load_le(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <std::integral T>
void append_le(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace fluidsplat::io

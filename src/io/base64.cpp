// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/base64.h"

#include <cstdint>

namespace fluidsplat::io {

std::string encode_base64(std::span<const std::byte> bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    const std::size_t present = bytes.size() - i;
    for (std::size_t j = 0; j < 4; ++j) text += j <= present ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string encode_base64(std::string_view bytes) {
  return encode_base64(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

}  // namespace fluidsplat::io

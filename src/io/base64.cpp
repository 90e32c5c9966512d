// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/base64.h"

#include <cstdint>

namespace fluidsplat::io {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string encode_base64(std::span<const std::byte> bytes) {
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

std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::string_view group = text.substr(i, 4);
    if (i + 4 == text.size())
      for (int pad = 0; pad < 2 && group.ends_with('='); ++pad) group.remove_suffix(1);
    std::uint32_t bits = 0;
    for (const char c : group) {
      const std::size_t digit = kDigits.find(c);
      if (digit == std::string_view::npos) return {};
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
    }
    bits <<= 6 * (4 - group.size());
    for (std::size_t j = 0; j + 1 < group.size(); ++j)
      bytes.push_back(static_cast<std::byte>(bits >> (16 - 8 * j) & 255));
  }
  return bytes;
}

}  // namespace fluidsplat::io

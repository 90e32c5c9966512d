// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace fluidsplat::field {

// 128 bits that tell contents apart, the same on every machine, at the speed of memory.  Against accident, not against
// malice: who wants to can make two contents with one hash.
//
// Bytes are read as little-endian words of 64 bits that go to four lanes in turn; a lane takes a word w as
//
//   lane = rotate_left(lane ^ (w * K1), 29) * K2.
//
// Both products are needed: with one, the highest bit of a word does what some bit of the lane's next word does.  The
// last block is filled up with zeros, and the number of bytes is mixed in at the end.
class ContentHash {
 public:
  ContentHash& add(std::span<const std::byte> bytes);
  ContentHash& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
  // 32 hexadecimal digits, of everything added so far.
  std::string digest() const;

 private:
  static constexpr std::size_t kBlock = 32;
  using Lanes = std::array<std::uint64_t, 4>;
  static void take(Lanes& lanes, const std::byte* block);

  Lanes lanes_ = {0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u};
  std::array<std::byte, kBlock> rest_{};  // what does not fill a block yet
  std::size_t rest_bytes_ = 0;
  std::uint64_t total_ = 0;
};

// Of a file's bytes, read in large blocks.
std::string hash_file(const std::filesystem::path& path);

}  // namespace fluidsplat::field

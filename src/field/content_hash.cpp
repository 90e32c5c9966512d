// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/content_hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "io/little_endian.h"

namespace fluidsplat::field {
namespace {

constexpr std::size_t kFileBlock = std::size_t{4} << 20;
constexpr std::uint64_t kFirst = 0x9e3779b97f4a7c15u, kSecond = 0xbf58476d1ce4e5b9u;

// Every bit of the result depends on every bit of x.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
  return x ^ (x >> 32);
}

}  // namespace

void ContentHash::take(Lanes& lanes, const std::byte* block) {
  for (std::size_t i = 0; i < lanes.size(); ++i)
    lanes[i] = std::rotl(lanes[i] ^ (io::load_le<std::uint64_t>(block + 8 * i) * kFirst), 29) * kSecond;
}

ContentHash& ContentHash::add(std::span<const std::byte> bytes) {
  total_ += bytes.size();
  if (rest_bytes_ > 0) {
    const auto count = std::min(kBlock - rest_bytes_, bytes.size());
    std::copy_n(bytes.begin(), count, rest_.begin() + std::ptrdiff_t(rest_bytes_));
    rest_bytes_ += count;
    bytes = bytes.subspan(count);
    if (rest_bytes_ < kBlock) return *this;
    take(lanes_, rest_.data());
  }
  auto lanes = lanes_;  // in registers for the loop
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) take(lanes, bytes.data());
  lanes_ = lanes;
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
  rest_bytes_ = bytes.size();
  return *this;
}

std::string ContentHash::digest() const {
  auto lanes = lanes_;
  if (rest_bytes_ > 0) {
    auto last = rest_;
    std::fill(last.begin() + std::ptrdiff_t(rest_bytes_), last.end(), std::byte{});
    take(lanes, last.data());
  }
  std::uint64_t high = mix(total_), low = mix(~total_);
  for (auto lane : lanes) {
    high = mix(high ^ lane);
    low = mix(low + std::rotl(lane, 32));
  }
  return fmt::format("{:016x}{:016x}", high, low);
}

std::string hash_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("{}: cannot be read", path.string());
  ContentHash hash;
  std::vector<char> block(kFileBlock);
  while (file) {
    file.read(block.data(), std::ssize(block));
    hash.add(std::string_view(block.data(), std::size_t(file.gcount())));
  }
  if (!file.eof()) fail("{}: cannot be read to its end", path.string());
  return hash.digest();
}

}  // namespace fluidsplat::field

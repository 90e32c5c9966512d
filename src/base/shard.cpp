// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/shard.h"

#include <charconv>

#include "base/error.h"

namespace fluidsplat {
namespace {

bool read_number(const char*& at, const char* end, Index& out) {
  const auto [next, error] = std::from_chars(at, end, out);
  at = next;
  return error == std::errc();
}

}  // namespace

Shard parse_shard(const std::string& text) {
  Shard out;
  const char *at = text.data(), *end = at + text.size();
  const bool good =
      read_number(at, end, out.index) && at != end && *at++ == '/' && read_number(at, end, out.count) && at == end;
  if (!good || out.count < 1 || out.index < 1 || out.index > out.count)
    fail("--shard {}: write which part of how many, such as 1/2 and 2/2", text);
  return out;
}

}  // namespace fluidsplat

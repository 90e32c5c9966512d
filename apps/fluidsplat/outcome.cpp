// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/outcome.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "base/error.h"
#include "base/write_error.h"

namespace fluidsplat::app {
namespace {

// A full disk shows only when what was printed leaves its buffers.
int said_all(int exit_code) {
  std::cout.flush();
  const bool good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (good || exit_code != 0) return exit_code;
  fmt::print(stderr, "fluidsplat: standard output: cannot write: {}\n", write_error_text(errno != 0 ? errno : EIO));
  return 1;
}

}  // namespace

int run_and_tell(const std::function<int()>& command) {
  try {
    return said_all(command());
  } catch (const Error& e) {
    fmt::print(stderr, "fluidsplat: {}\n", e.what());
    return 1;
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "fluidsplat: {}: {}\n", e.path1().string(), e.code().message());
    return 1;
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return said_all(0);  // fmt throws when what it prints finds no room
    fmt::print(stderr, "fluidsplat: internal error: {}\n", e.what());
    return 3;
  }
}

}  // namespace fluidsplat::app

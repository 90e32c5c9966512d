// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "front/hand_over.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace fluidsplat::front {
namespace {

char** arguments = nullptr;

}  // namespace

void remember_arguments(char** argv) {
  arguments = argv;
}

void hand_over() {
  std::fflush(stdout);
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  // In a build tree it lies beside this program, in an installed one where others do not look for programs.
  const auto beside = folder / "fluidsplat-full";
  const auto installed = folder / FLUIDSPLAT_FROM_BIN_TO_LIBEXEC / "fluidsplat-full";
  for (const auto& program : {beside, installed}) ::execv(program.c_str(), arguments);
  fail("{}: cannot be started ({}); install fluidsplat again, this part of it is missing",
       installed.lexically_normal().string(), std::strerror(errno));
}

}  // namespace fluidsplat::front

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace fluidsplat {

int available_threads() {
  // How users share a machine between programs.  The variable may be a list; its first number is ours.
  if (const char* text = std::getenv("OMP_NUM_THREADS")) {
    int threads = 0;
    std::from_chars(text, text + std::strlen(text), threads);
    if (threads > 0) return std::min(threads, 1024);
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, int(std::thread::hardware_concurrency()));
}

}  // namespace fluidsplat

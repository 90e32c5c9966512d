// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace fluidsplat {

// Seconds that processors have worked for this process, all threads together.  Unlike a clock on the wall it does not
// run on while other programs have the processor.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

}  // namespace fluidsplat

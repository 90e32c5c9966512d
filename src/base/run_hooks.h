// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace fluidsplat {

// How long work talks to its caller.  Any of them may be empty.
struct RunHooks {
  // `done` in [0, 1] of the current part, and what that part is.
  std::function<void(double done, const std::string& part)> progress;
  // Asked now and then; true ends the work at once.
  std::function<bool()> interrupted;

  void tell(double done, const std::string& part) const {
    if (progress) progress(done, part);
  }
  bool should_stop() const { return interrupted && interrupted(); }
};

}  // namespace fluidsplat

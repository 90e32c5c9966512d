// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/index.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/run_hooks.h"

namespace fluidsplat::app {

// Shows long work's progress, part by part, and stops it when the user interrupts.
class ProgressHooks {
 public:
  RunHooks hooks() {
    return {[this](double done, const std::string& part) { update(done, part); }, interrupted};
  }
  // Ends the line, before something else is printed.
  void finish() { progress_.reset(); }

 private:
  void update(double done, const std::string& part) {
    if (!progress_ || part_ != part) {
      progress_.reset();
      part_ = part;
      progress_ = std::make_unique<Progress>(part_, kParts, Progress::Unit::percent);
    }
    progress_->update(Index(double(kParts) * done));
  }

  static constexpr Index kParts = 1000;
  std::string part_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace fluidsplat::app

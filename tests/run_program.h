// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace fluidsplat::tests {

// Far beyond what any command of the tests takes, also with sanitizers on a busy machine.
constexpr std::chrono::seconds kLongest{300};

struct Outcome {
  int exit_code = -1;  // 128 + signal when it was killed
  bool timed_out = false;
  std::string out, err;  // of a command that took too long, err says so
};

// The fluidsplat program, running in a folder.  It ends with this object, and with the test, at the latest.
class Child {
 public:
  Child(const std::vector<std::string>& arguments, const std::string& folder);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until something is so while the program runs.  False when it ends first or takes longer than the limit.
  bool wait_until(const std::function<bool()>& so, std::chrono::seconds limit = kLongest);
  void signal(int number);
  pid_t id() const { return id_; }
  // Waits for its end, and kills it when that takes longer than the limit.
  Outcome wait(std::chrono::seconds limit = kLongest);

 private:
  bool running();

  TemporaryFolder scratch_;
  pid_t id_;
  bool ended_ = false;
  int status_ = 0;
};

// Runs the program in a folder to its end.
Outcome run(const std::vector<std::string>& arguments, const std::string& folder,
            std::chrono::seconds limit = kLongest);

}  // namespace fluidsplat::tests

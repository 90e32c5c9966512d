// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::tests {

namespace {

constexpr std::chrono::milliseconds kPause{5};

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const std::string& folder) {
  std::vector<std::string> words = {FLUIDSPLAT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  const auto out = (scratch_ / "out").string(), err = (scratch_ / "err").string();
  id_ = ::fork();
  if (id_ < 0) fail("cannot start {}", FLUIDSPLAT_PROGRAM);
  if (id_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
  ::setenv("OMP_NUM_THREADS", "1", 1);
  if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
  ::_exit(127);
}

Child::~Child() {
  if (!running()) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

bool Child::running() {
  if (!ended_) ended_ = ::waitpid(id_, &status_, WNOHANG) == id_;
  return !ended_;
}

bool Child::wait_until(const std::function<bool()>& so, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (running()) {
    if (so()) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

void Child::signal(int number) {
  if (running()) ::kill(id_, number);
}

Outcome Child::wait(std::chrono::seconds limit) {
  wait_until([] { return false; }, limit);
  Outcome outcome;
  outcome.timed_out = running();
  if (outcome.timed_out) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, &status_, 0);
    ended_ = true;
  }
  outcome.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  outcome.out = read_file(scratch_ / "out");
  outcome.err = read_file(scratch_ / "err");
  if (outcome.timed_out) outcome.err += fmt::format("killed: it took longer than {} s\n", limit.count());
  return outcome;
}

Outcome run(const std::vector<std::string>& arguments, const std::string& folder, std::chrono::seconds limit) {
  return Child(arguments, folder).wait(limit);
}

}  // namespace fluidsplat::tests

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/launch.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/threads.h"
#include "learn/distributed/free_port.h"

namespace fluidsplat::learn {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPause{20};
// What the other ranks have to notice that one has failed, and to say so.
constexpr std::chrono::seconds kGrace{10};

// One rank's process.
struct Child {
  pid_t id = -1;
  bool running = false;
  int status = 0;

  bool failed() const { return !running && status != 0; }
  bool was_killed() const { return failed() && WIFSIGNALED(status); }
};

class Ranks {
 public:
  explicit Ranks(const LaunchRequest& request) : request_(request), children_(std::size_t(request.ranks)) {
    const auto port = std::to_string(free_port());
    for (Index rank = 0; rank < request.ranks; ++rank) start(rank, port);
  }
  ~Ranks() {
    signal(SIGKILL);
    for (auto& c : children_)
      if (c.running) ::waitpid(c.id, &c.status, 0);
  }
  Ranks(const Ranks&) = delete;

  void signal(int number) {
    for (const auto& c : children_)
      if (c.running) ::kill(c.id, number);
  }
  // Looks who has ended.  True while any runs.
  bool look() {
    bool any = false;
    for (auto& c : children_) {
      if (c.running) c.running = ::waitpid(c.id, &c.status, WNOHANG) != c.id;
      any = any || c.running;
    }
    return any;
  }
  const std::vector<Child>& children() const { return children_; }

 private:
  void start(Index rank, const std::string& port) {
    std::vector<std::string> words = {request_.program.string()};
    words.insert(words.end(), request_.arguments.begin(), request_.arguments.end());
    std::vector<char*> argv;
    for (auto& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    const auto threads = std::max<Index>(1, available_threads() / request_.ranks);
    const auto parent = ::getpid();
    auto& child = children_[std::size_t(rank)];
    child.id = ::fork();
    if (child.id < 0) fail("launch: cannot start rank {}: {}", rank, std::strerror(errno));
    if (child.id > 0) {
      child.running = true;
      return;
    }
    // Ctrl-C reaches the launcher alone, which then asks the ranks to stop, once.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::setenv("RANK", std::to_string(rank).c_str(), 1);
    ::setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
    ::setenv("WORLD_SIZE", std::to_string(request_.ranks).c_str(), 1);
    ::setenv("MASTER_ADDR", "127.0.0.1", 1);
    ::setenv("MASTER_PORT", port.c_str(), 1);
    // Ranks that each take all processors only stand in each other's way.
    ::setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 0);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }

  const LaunchRequest& request_;
  std::vector<Child> children_;
};

// Empty unless all that failed were killed: others say themselves why.
std::string untold_reason(const std::vector<Child>& children) {
  std::string reason;
  for (std::size_t r = 0; r < children.size(); ++r) {
    if (children[r].failed() && !children[r].was_killed()) return {};
    if (children[r].was_killed())
      reason += fmt::format("{}rank {} of {} was ended by signal {} ({})", reason.empty() ? "" : ", ", r,
                            children.size(), WTERMSIG(children[r].status), ::strsignal(WTERMSIG(children[r].status)));
  }
  return reason;
}

}  // namespace

bool launch(const LaunchRequest& request) {
  Ranks ranks(request);
  std::optional<Clock::time_point> first_failure;
  bool asked = false;
  while (ranks.look()) {
    if (!asked && request.interrupted && request.interrupted()) {
      ranks.signal(SIGTERM);
      asked = true;
    }
    const auto failed = std::ranges::any_of(ranks.children(), [](const Child& c) { return c.failed(); });
    if (failed && !first_failure) first_failure = Clock::now();
    if (first_failure && Clock::now() > *first_failure + kGrace) break;
    std::this_thread::sleep_for(kPause);
  }
  const auto reason = untold_reason(ranks.children());
  if (!reason.empty() && !asked) fail("{}; --resume goes on from the last checkpoint", reason);
  return std::ranges::none_of(ranks.children(), [](const Child& c) { return c.running || c.failed(); });
}

}  // namespace fluidsplat::learn

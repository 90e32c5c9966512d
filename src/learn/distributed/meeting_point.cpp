// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/meeting_point.h"

#include <fmt/ranges.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <thread>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

namespace fluidsplat::learn {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr const char *kHere = "here/", *kAllHere = "all here", *kTrouble = "trouble", *kLost = "lost/",
                     *kHeard = "heard/";
constexpr const char* kGone =
    " has ended, hangs or cannot be reached: all ranks end; --resume goes on from the last checkpoint";
constexpr milliseconds kPause{20};
// In trouble: how long ranks wait for what others have to say, and how long they try to reach rank 0 beyond that.
constexpr milliseconds kMoment{1000}, kPatience{2000};

std::vector<std::uint8_t> bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string text_of(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

std::string host_name() {
  char host[256] = "unknown host";
  ::gethostname(host, sizeof host - 1);
  return host;
}

// Whether someone answers there now.  libtorch's own attempts would fill the screen.
bool answers(const std::string& address, Index port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return false;
  bool open = false;
  for (auto* a = found; a && !open; a = a->ai_next) {
    const int fd = ::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
    if (fd < 0) continue;
    // A host that is not there lets connect() wait for minutes.
    const timeval limit{2, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    open = ::connect(fd, a->ai_addr, a->ai_addrlen) == 0;
    ::close(fd);
  }
  ::freeaddrinfo(found);
  return open;
}

// The result of something that may never return, or nothing.  What hangs is left behind: the process ends soon.
template <typename Work>
auto within(milliseconds limit, Work work) -> std::optional<decltype(work())> {
  auto promise = std::make_shared<std::promise<decltype(work())>>();
  auto result = promise->get_future();
  std::thread([promise, work = std::move(work)] {
    try {
      promise->set_value(work());
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }).detach();
  if (result.wait_for(limit) != std::future_status::ready) return {};
  try {
    return result.get();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

MeetingPoint::MeetingPoint(const Rendezvous& rendezvous, milliseconds timeout) : at_(rendezvous), timeout_(timeout) {
  open();
  sign_in();
}

void MeetingPoint::open() {
  const auto until = Clock::now() + timeout_;
  while (at_.rank != 0 && !answers(at_.address, at_.port)) {
    if (Clock::now() > until)
      fail(
          "rank {} of {} on {}: rank 0 does not answer at {}:{} within {} s; is it started, and are MASTER_ADDR and "
          "MASTER_PORT its own?",
          at_.rank, at_.size, host_name(), at_.address, at_.port, timeout_.count() / 1000);
    std::this_thread::sleep_for(10 * kPause);
  }
  c10d::TCPStoreOptions options;
  options.port = std::uint16_t(at_.port);
  options.isServer = at_.rank == 0;
  options.waitWorkers = false;
  options.timeout = timeout_;
  try {
    store_ = c10::make_intrusive<c10d::TCPStore>(at_.address, options);
  } catch (const std::exception&) {
    if (at_.rank == 0)
      fail("rank 0 of {} on {}: cannot listen at {}:{}; set MASTER_PORT to a port that is free", at_.size, host_name(),
           at_.address, at_.port);
    fail("rank {} of {} on {}: rank 0 at {}:{} hung up", at_.rank, at_.size, host_name(), at_.address, at_.port);
  }
}

void MeetingPoint::sign_in() const {
  const auto until = Clock::now() + timeout_;
  try {
    store_->set(kHere + std::to_string(at_.rank), bytes(host_name()));
    if (at_.rank == 0) {
      const auto missing = missing_ranks(kHere, timeout_);
      if (!missing.empty())
        fail("only some of the {} ranks came to {}:{} within {} s; missing: {}", at_.size, at_.address, at_.port,
             timeout_.count() / 1000, missing);
      store_->set(kAllHere, {1});
    }
    while (!store_->check({kAllHere})) {
      if (Clock::now() > until + kPatience) throw ToldElsewhere("not all ranks came");
      std::this_thread::sleep_for(kPause);
    }
  } catch (const Error&) {
    throw;
  } catch (const std::exception&) {
    // Rank 0 has given up, and has said who is missing.
    throw ToldElsewhere("rank 0 hung up");
  }
}

std::string MeetingPoint::describe(Index rank) const {
  const auto key = kHere + std::to_string(rank);
  return store_->check({key}) ? fmt::format("rank {} of {} ({})", rank, at_.size, text_of(store_->get(key)))
                              : fmt::format("rank {} of {}", rank, at_.size);
}

// Those that have not put their name on a list when all others have, or after the limit.
std::string MeetingPoint::missing_ranks(const char* list, milliseconds limit) const {
  constexpr std::size_t kMostNamed = 8;
  const auto until = Clock::now() + limit;
  std::vector<Index> missing;
  for (Index r = 0; r < at_.size; ++r) missing.push_back(r);
  for (;;) {
    std::erase_if(missing, [&](Index r) { return store_->check({list + std::to_string(r)}); });
    if (missing.empty() || Clock::now() > until) break;
    std::this_thread::sleep_for(kPause);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(missing.size(), kMostNamed); ++i) names.push_back(describe(missing[i]));
  if (missing.size() > kMostNamed) names.push_back(fmt::format("and {} more", missing.size() - kMostNamed));
  return fmt::format("{}", fmt::join(names, ", "));
}

// The first to write on the board wins; ranks may have the same to say.
MeetingPoint::Trouble MeetingPoint::tell_or_hear(const std::string& text) const {
  const auto mine = fmt::format("{}\n{}", at_.rank, text);
  const auto board = text_of(store_->compareSet(kTrouble, {}, bytes(mine)));
  store_->set(kHeard + std::to_string(at_.rank), {1});
  return {board.substr(board.find('\n') + 1), board == mine};
}

void MeetingPoint::linger() const {
  if (at_.rank != 0) return;
  within(kMoment + kPatience, [self = *this] { return self.missing_ranks(kHeard, kMoment + kPatience); });
}

// The board may hang with rank 0: the copy is what a thread that waits for it in vain is left with.
MeetingPoint::Trouble MeetingPoint::tell(const std::string& text) const {
  const auto told = within(kMoment + kPatience, [self = *this, text] { return self.tell_or_hear(text); });
  return told ? *told : Trouble{text, true};
}

MeetingPoint::Trouble MeetingPoint::find_out(milliseconds longest_silence) const {
  const auto limit = std::min(timeout_, kMoment + longest_silence);
  const auto told = within(limit + kMoment + kPatience, [self = *this, limit] {
    auto& store = *self.store_;
    store.set(kLost + std::to_string(self.at_.rank), {1});
    // A rank that has failed tells why before its connections close.
    const auto missing = store.check({kTrouble}) ? std::string() : self.missing_ranks(kLost, limit);
    return self.tell_or_hear(missing.empty() ? std::string("the ranks have lost each other") : missing + kGone);
  });
  if (told) return *told;
  return {fmt::format("rank 0 of {} ({}){}", at_.size, at_.address, kGone), true};
}

}  // namespace fluidsplat::learn

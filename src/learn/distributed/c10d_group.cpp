// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <netdb.h>
#include <sys/socket.h>
#include <torch/torch.h>
#include <unistd.h>

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "base/stopwatch.h"
#include "learn/distributed/meeting_point.h"

namespace fluidsplat::learn {
namespace {

// The address of this host that leads to another: what its own name resolves to is often the loopback.  Empty when
// there is no way.
std::string own_address_towards(const std::string& address, Index port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return {};
  std::string own;
  // Nothing is sent: connecting a datagram socket only chooses the way.
  const int fd = ::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  char text[NI_MAXHOST];
  if (fd >= 0 && ::connect(fd, found->ai_addr, found->ai_addrlen) == 0 &&
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length) == 0 &&
      ::getnameinfo(reinterpret_cast<sockaddr*>(&name), length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0)
    own = text;
  if (fd >= 0) ::close(fd);
  ::freeaddrinfo(found);
  return own;
}

std::shared_ptr<gloo::transport::Device> find_network(const Rendezvous& at) {
  // The variable that users of libtorch know.
  if (const char* interface = std::getenv("GLOO_SOCKET_IFNAME"))
    return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
  const auto own = own_address_towards(at.address, at.port);
  return own.empty() ? c10d::ProcessGroupGloo::createDefaultDevice()
                     : c10d::ProcessGroupGloo::createDeviceForHostname(own);
}

// A view of the caller's values.
template <typename T>
std::vector<torch::Tensor> view(std::span<T> values, torch::ScalarType type) {
  return {torch::from_blob(values.data(), {Index(values.size())}, type)};
}

class C10dGroup : public Group {
 public:
  C10dGroup(const Rendezvous& at, const JoinOptions& options) : at_(at), meeting_(at, options.timeout) {
    carry_out([&] {
      auto settings = c10d::ProcessGroupGloo::Options::create(options.timeout);
      settings->threads = 1;
      settings->devices = {find_network(at)};
      processes_ = c10::make_intrusive<c10d::ProcessGroupGloo>(meeting_.store(), int(at.rank), int(at.size), settings);
    });
  }
  Index rank() const override { return at_.rank; }
  Index size() const override { return at_.size; }
  double seconds() const override { return seconds_; }

  void sum(std::span<float> values) override { sum(view(values, torch::kFloat32)); }
  void sum(std::span<double> values) override { sum(view(values, torch::kFloat64)); }
  void broadcast(std::span<float> values) override { broadcast(view(values, torch::kFloat32)); }
  void broadcast(std::span<char> bytes) override { broadcast(view(bytes, torch::kInt8)); }
  void barrier() override {
    carry_out([&] { processes_->barrier()->wait(); });
  }
  bool report(const std::string& trouble) override {
    if (lost_) return true;
    const bool is_mine = meeting_.tell(trouble).is_mine;
    leave();
    return is_mine;
  }

 private:
  void sum(std::vector<torch::Tensor> tensors) {
    if (tensors.front().numel() == 0) return;
    carry_out([&] { processes_->allreduce(tensors)->wait(); });
  }
  void broadcast(std::vector<torch::Tensor> tensors) {
    if (tensors.front().numel() == 0) return;
    carry_out([&] { processes_->broadcast(tensors)->wait(); });
  }

  template <typename Work>
  void carry_out(Work&& work) {
    longest_silence_ = std::max(longest_silence_, since_last_.seconds());
    const Stopwatch watch;
    try {
      work();
    } catch (const std::exception&) {
      give_up();
    }
    seconds_ += watch.seconds();
    since_last_ = {};
  }

  // Those that wait for this rank learn that it goes, and find on the board why.
  void leave() {
    lost_ = true;
    processes_.reset();
    meeting_.linger();
  }

  // What the transport says is about sockets; which rank is in trouble, and why, stands on the board.
  [[noreturn]] void give_up() {
    lost_ = true;
    // A rank may be waiting for this one, which waited for the one in trouble: its connection ends now.
    processes_.reset();
    const auto trouble = meeting_.find_out(std::chrono::milliseconds(Index(1000 * longest_silence_)));
    meeting_.linger();
    if (!trouble.is_mine) throw ToldElsewhere(trouble.text);
    fail("{}", trouble.text);
  }

  Rendezvous at_;
  MeetingPoint meeting_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> processes_;
  double seconds_ = 0;
  Stopwatch since_last_;
  double longest_silence_ = 0;
  bool lost_ = false;  // the others have been told
};

}  // namespace

std::unique_ptr<Group> join_group(const Rendezvous& rendezvous, const JoinOptions& options) {
  if (options.backend != "gloo")
    fail("--backend {}: fluidsplat trains with gloo, which every libtorch has", options.backend);
  return std::make_unique<C10dGroup>(rendezvous, options);
}

void work_in_group(const JoinOptions& options, const std::function<void(Group& group)>& work) {
  const auto rendezvous = find_rendezvous();
  if (!rendezvous) return work(alone());
  const auto group = join_group(*rendezvous, options);
  try {
    work(*group);
  } catch (const ToldElsewhere&) {
    throw;
  } catch (const std::exception& e) {
    if (!group->report(e.what())) throw ToldElsewhere(e.what());
    throw;
  }
}

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// A link between two network namespaces with a given delay, jitter, rate and loss, made in user space: for kernels
// without netem.  Each namespace gets a TUN device of the same name; what leaves one enters the other.
//
//   delay_link NAMESPACE NAMESPACE DEVICE DELAY_MS JITTER_MS GBIT_PER_S LOSS_PERCENT
//
// Runs until it is ended.  SIGUSR1 cuts the link: from then on nothing passes.  Needs root.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kLargestPacket = 65536;
// What waits to leave may take so long; then packets are lost, as in a router.
constexpr Seconds kLongestQueue(0.1);

std::atomic<bool> cut = false;

[[noreturn]] void give_up(const std::string& what) {
  std::perror(("delay_link: " + what).c_str());
  std::exit(1);
}

// The device belongs to the namespace that this thread is in.
int open_device(const std::string& name_space, const std::string& device) {
  const int entry = ::open(("/var/run/netns/" + name_space).c_str(), O_RDONLY);
  if (entry < 0 || ::setns(entry, CLONE_NEWNET) != 0) give_up(name_space);
  ::close(entry);
  const int tun = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  ifreq request{};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  std::strncpy(request.ifr_name, device.c_str(), IFNAMSIZ - 1);
  if (tun < 0 || ::ioctl(tun, TUNSETIFF, &request) < 0) give_up(device);
  return tun;
}

struct Link {
  Seconds delay, jitter;
  double bytes_per_second, loss;
};

struct Packet {
  std::vector<char> bytes;
  Clock::time_point due;
};

Clock::duration ticks(Seconds seconds) {
  return std::chrono::duration_cast<Clock::duration>(seconds);
}

// One direction.
void carry(int from, int to, const Link& link, unsigned seed) {
  ::prctl(PR_SET_TIMERSLACK, 1);  // ns; the default of 50 us is half of a delay of 0.1 ms
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<char> buffer(kLargestPacket);
  std::deque<Packet> waiting;
  auto wire_free = Clock::now(), last_due = wire_free;
  for (;;) {
    pollfd ready{from, POLLIN, 0};
    const auto wait =
        waiting.empty() ? Clock::duration(std::chrono::milliseconds(100)) : waiting.front().due - Clock::now();
    const auto ns = std::max<long>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(wait).count());
    const timespec timeout{ns / 1'000'000'000, ns % 1'000'000'000};
    ::ppoll(&ready, 1, &timeout, nullptr);
    for (int burst = 0; burst < 64; ++burst) {
      const auto size = ::read(from, buffer.data(), buffer.size());
      if (size <= 0) break;
      const auto now = Clock::now();
      if (cut || uniform(random) < link.loss || wire_free - now > kLongestQueue) continue;
      wire_free = std::max(wire_free, now) + ticks(Seconds(double(size) / link.bytes_per_second));
      last_due = std::max(last_due, wire_free + ticks(link.delay + uniform(random) * link.jitter));
      waiting.push_back({{buffer.begin(), buffer.begin() + size}, last_due});
    }
    while (!waiting.empty() && waiting.front().due <= Clock::now()) {
      const auto& bytes = waiting.front().bytes;
      // A device that is not up yet, or not any more, takes nothing: that is a loss too.
      if (!cut && ::write(to, bytes.data(), bytes.size()) < 0 && errno == EAGAIN) break;
      waiting.pop_front();
    }
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 8) {
    std::fprintf(stderr, "delay_link NAMESPACE NAMESPACE DEVICE DELAY_MS JITTER_MS GBIT_PER_S LOSS_PERCENT\n");
    return 2;
  }
  std::signal(SIGUSR1, [](int) { cut = true; });
  const Link link{Seconds(1e-3 * std::atof(words[4])), Seconds(1e-3 * std::atof(words[5])),
                  1e9 / 8 * std::atof(words[6]), 0.01 * std::atof(words[7])};
  const int a = open_device(words[1], words[3]), b = open_device(words[2], words[3]);
  std::thread there([&] { carry(a, b, link, 1); });
  carry(b, a, link, 2);
}

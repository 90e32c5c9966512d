// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What adding up a gradient costs: each rank of a group (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT) sums arrays of
// several sizes; the first rank prints bytes and the median of the seconds, a line each.
#include <fmt/format.h>

#include <algorithm>

#include "base/stopwatch.h"
#include "learn/distributed/join_group.h"

int main() {
  using namespace fluidsplat;
  learn::work_in_group({"gloo", std::chrono::seconds(60)}, [](learn::Group& group) {
    for (const Index count : {1, 1'000, 10'000, 100'000, 300'000, 1'000'000}) {
      std::vector<float> values(std::size_t(count), 1.0f);
      const Index repeats = count < 200'000 ? 41 : 11;
      std::vector<double> seconds;
      for (Index i = 0; i < repeats + 3; ++i) {
        group.barrier();
        const Stopwatch watch;
        group.sum(std::span(values));
        if (i >= 3) seconds.push_back(watch.seconds());
      }
      std::ranges::nth_element(seconds, seconds.begin() + repeats / 2);
      if (group.is_first()) fmt::print("{},{:.6f}\n", 4 * count, seconds[std::size_t(repeats / 2)]);
    }
  });
}

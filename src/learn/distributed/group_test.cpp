// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/stopwatch.h"
#include "learn/distributed/rank_threads.h"

namespace fluidsplat::learn {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Group, AloneNeedsNobody) {
  auto& group = alone();
  EXPECT_TRUE(group.is_first());
  EXPECT_TRUE(group.any(true));
  EXPECT_FALSE(group.any(false));
  EXPECT_EQ(group.broadcast_text("words"), "words");
  group.expect_same("words", "settings");
  EXPECT_EQ(share_of(7, group).size(), 7);
}

TEST(Group, RanksShareNumbersAndWords) {
  for (const Index size : {2, 3}) {
    std::vector<std::vector<double>> sums(size);
    std::vector<std::vector<float>> floats(size);
    std::vector<std::string> words(size);
    std::vector<int> any_first(size), any_none(size);
    std::vector<Share> shares(size);
    const auto ends = in_ranks(size, [&](Group& group) {
      const auto r = group.rank();
      sums[r] = {1.0, double(r)};
      group.sum(std::span(sums[r]));
      floats[r].assign(1000, 1.0f / 3.0f * float(r + 1));
      group.sum(std::span(floats[r]));
      words[r] = group.broadcast_text(r == 0 ? "from the first" : "mine");
      any_first[r] = group.any(r == 0);
      any_none[r] = group.any(false);
      shares[r] = share_of(7, group);
      group.expect_same("one text", "settings");
      group.barrier();
    });
    for (Index r = 0; r < size; ++r) {
      EXPECT_EQ(ends[r].error, "");
      EXPECT_THAT(sums[r], ElementsAre(double(size), double(size * (size - 1) / 2)));
      EXPECT_EQ(floats[r], floats[0]) << "the same bits everywhere";
      EXPECT_EQ(words[r], "from the first");
      EXPECT_TRUE(any_first[r]);
      EXPECT_FALSE(any_none[r]);
      EXPECT_EQ(shares[r].begin, r == 0 ? 0 : shares[r - 1].end);
    }
    EXPECT_EQ(shares.back().end, 7);
  }
}

TEST(Group, NoticesARankWithOtherSettings) {
  const auto ends =
      in_ranks(3, [](Group& group) { group.expect_same(group.rank() == 2 ? "rate = 2" : "rate = 1", "settings"); });
  for (const auto& end : ends) EXPECT_THAT(end.error, HasSubstr("rank 2 of 3 has other settings than rank 0"));
}

// Everyone learns what went wrong, and one says it.
TEST(Group, ARankThatFailsTellsTheOthersWhy) {
  for (const Index unlucky : {0, 1, 2}) {
    const Stopwatch watch;
    const auto ends = in_ranks(3, [&](Group& group) {
      if (group.rank() == unlucky) {
        EXPECT_TRUE(group.report("data.h5: is torn"));
        fail("data.h5: is torn");
      }
      group.barrier();
    });
    for (Index r = 0; r < 3; ++r) {
      EXPECT_EQ(ends[r].error, "data.h5: is torn") << "rank " << r;
      EXPECT_EQ(ends[r].told_elsewhere, r != unlucky);
    }
    EXPECT_LT(watch.seconds(), 30) << "they waited for the timeout instead";
  }
}

TEST(Group, OfTwoThatFailOneSpeaks) {
  std::vector<int> speaks(2);
  in_ranks(2, [&](Group& group) {
    group.barrier();
    speaks[group.rank()] = group.report(fmt::format("trouble {}", group.rank()));
  });
  EXPECT_EQ(speaks[0] + speaks[1], 1);
}

// A rank that leaves without a word, as one that was killed.
TEST(Group, NamesARankThatHasEnded) {
  for (const Index gone : {1, 2}) {
    const auto ends = in_ranks(3, [&](Group& group) {
      group.barrier();
      if (group.rank() == gone) return;
      group.barrier();
    });
    Index speakers = 0;
    for (Index r = 0; r < 3; ++r) {
      if (r == gone) continue;
      EXPECT_THAT(ends[r].error, AllOf(HasSubstr(fmt::format("rank {} of 3", gone)), HasSubstr("has ended, hangs"),
                                       HasSubstr("--resume")));
      EXPECT_THAT(ends[r].error, Not(HasSubstr(fmt::format("rank {} of 3", 3 - gone))));
      speakers += ends[r].told_elsewhere ? 0 : 1;
    }
    EXPECT_EQ(speakers, 1);
  }
}

TEST(Group, DoesNotWaitForeverForARankThatHangs) {
  const Stopwatch watch;
  const auto ends = in_ranks(
      2,
      [&](Group& group) {
        group.barrier();
        if (group.rank() == 0) group.barrier();
        std::this_thread::sleep_for(std::chrono::seconds(5));
      },
      std::chrono::seconds(2));
  EXPECT_THAT(ends[0].error, HasSubstr("rank 1 of 2"));
  EXPECT_LT(watch.seconds(), 20);
}

TEST(Group, NamesARankThatDoesNotCome) {
  const auto port = free_port();
  const JoinOptions options{"gloo", std::chrono::seconds(1)};
  EXPECT_THAT(
      [&] {
        join_group({0, 2, 0, "127.0.0.1", port}, options);
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("within 1 s"), HasSubstr("missing: rank 1 of 2"))));
  EXPECT_THAT(
      [&] {
        join_group({1, 2, 1, "127.0.0.1", port}, options);
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("rank 1 of 2"), HasSubstr("rank 0 does not answer"))));
  EXPECT_THAT(
      [&] {
        join_group({0, 2, 0, "127.0.0.1", port}, {"smoke-signals"});
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("--backend smoke-signals"), HasSubstr("gloo"))));
}

}  // namespace
}  // namespace fluidsplat::learn

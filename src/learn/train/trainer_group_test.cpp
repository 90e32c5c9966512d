// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "learn/distributed/rank_threads.h"
#include "learn/train/trainer_bench.h"

namespace fluidsplat::learn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Each rank's trainer, what it ended with, and the losses that it saw.
struct Ranks {
  std::vector<std::unique_ptr<Trainer>> trainers;
  std::vector<TrainOutcome> outcomes;
  std::vector<std::vector<double>> curves;
  std::vector<RankEnd> ends;
};

// Passes calls on to a group that is there only later.
class LateGroup : public Group {
 public:
  LateGroup(Index rank, Index size) : rank_(rank), size_(size) {}
  Group* real = nullptr;
  Index rank() const override { return rank_; }
  Index size() const override { return size_; }
  void sum(std::span<float> values) override { real->sum(values); }
  void sum(std::span<double> values) override { real->sum(values); }
  void broadcast(std::span<float> values) override { real->broadcast(values); }
  void broadcast(std::span<char> bytes) override { real->broadcast(bytes); }
  void barrier() override { real->barrier(); }
  bool report(const std::string& trouble) override { return real->report(trouble); }
  double seconds() const override { return 0; }

 private:
  Index rank_, size_;
};

// Something to do on a rank after each of its steps.
using AfterStep = std::function<void(Trainer&, Index rank, Index step)>;

// Weights are drawn from a generator that threads share: trainers are made one after the other.
Ranks train(const TrainerBench& b, Index size, bool resume = false, Index stop_after = -1,
            const AfterStep& after_step = {}) {
  Ranks out;
  std::vector<std::unique_ptr<LateGroup>> groups;
  for (Index r = 0; r < size; ++r) {
    groups.push_back(std::make_unique<LateGroup>(r, size));
    out.trainers.push_back(std::make_unique<Trainer>(b.config, b.data, make_split(b.config.data, b.data),
                                                     make_sensors(b.config.sensors, b.data), *groups.back()));
  }
  out.outcomes.resize(size);
  out.curves.resize(size);
  const auto work = [&](Group& group) {
    const auto r = group.rank();
    groups[r]->real = &group;
    auto& t = *out.trainers[r];
    if (resume) t.resume();
    TrainCallbacks callbacks;
    callbacks.on_step = [&](Index step, double loss, double) {
      out.curves[r].push_back(loss);
      if (after_step) after_step(t, r, step);
    };
    // The last rank alone is interrupted.
    callbacks.should_stop = [&] { return r == size - 1 && t.counters().step == stop_after; };
    out.outcomes[r] = t.run(callbacks);
    for (const auto& row : t.log()) out.curves[r].push_back(row.validation);
  };
  if (size == 1) {
    work(alone());
    out.ends.resize(1);
  } else {
    out.ends = in_ranks(size, work);
  }
  for (const auto& end : out.ends) EXPECT_EQ(end.error, "");
  return out;
}

double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double gap = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) gap = std::max(gap, std::abs(a[i] / b[i] - 1));
  return gap;
}

// All that makes a rank's part of a batch differ from another's: sensors fall silent, points and walls are drawn.
void make_parts_differ(TrainConfig& config) {
  config.sensor_dropout = 0.5;
  config.sensor_noise = 0.01;
  config.lambda_obs = 0.5;
  config.lambda_surface = 0.1;
  config.sampling.surface_queries = 4;
  config.ema = 0.9;
  config.schedule.steps = 24;
  config.validate_every = 8;
  config.checkpoint_every = 6;
}

void nudge(Trainer& t) {  // every weight by one rounding of a float, up and down in turn
  torch::NoGradGuard no_grad;
  for (auto& p : t.trained().model->parameters()) {
    const auto sign = 1 - 2 * (torch::arange(p.numel()) % 2).to(torch::kFloat32).view(p.sizes());
    p.mul_(1 + std::numeric_limits<float>::epsilon() * sign);
  }
}

// Ranks do one rank's arithmetic in another order, so curves may part as fast as rounding makes them part: as fast as
// those of one rank whose weights are one rounding off after the first step.
TEST(TrainerGroup, RanksGiveOneRanksCurve) {
  TrainerBench b;
  make_parts_differ(b.config);
  const auto one = train(b, 1);
  const auto nudged = train(b, 1, false, -1, [](Trainer& t, Index, Index step) {
    if (step == 1) nudge(t);
  });
  ASSERT_EQ(one.curves[0].size(), 27u);
  const double rounding = largest_gap(nudged.curves[0], one.curves[0]);
  EXPECT_GT(rounding, 0);
  EXPECT_LT(rounding, 1e-3);
  for (const Index size : {2, 3}) {  // 3 do not divide the batch of 4
    const auto many = train(b, size);
    EXPECT_LT(largest_gap(many.curves[0], one.curves[0]), 10 * rounding) << size << " ranks";
    for (Index r = 1; r < size; ++r) {
      EXPECT_EQ(many.curves[r], many.curves[0]);
      EXPECT_TRUE(same(*many.trainers[r]->trained().model, *many.trainers[0]->trained().model));
    }
  }
}

TEST(TrainerGroup, RanksWithAPriorGiveOneRanksCurve) {
  TrainerBench b;
  b.config.subtract_mean = true;
  b.config.prior.kind = PriorKind::kPodKernel;
  b.config.schedule.steps = 20;
  const auto one = train(b, 1), two = train(b, 2);
  EXPECT_LT(largest_gap(two.curves[0], one.curves[0]), 1e-3);
}

TEST(TrainerGroup, SameRanksSameBits) {
  TrainerBench a, b;
  make_parts_differ(a.config);
  make_parts_differ(b.config);
  EXPECT_TRUE(same(*train(a, 2).trainers[0]->trained().model, *train(b, 2).trainers[0]->trained().model));
}

// An interrupt of any rank stops all; a checkpoint does not know how many made it.
TEST(TrainerGroup, ResumesWithAnyNumberOfRanks) {
  TrainerBench whole, same_ranks, other_ranks;
  for (auto* b : {&whole, &same_ranks, &other_ranks}) make_parts_differ(b->config);
  const auto expected = train(whole, 2);
  for (auto* b : {&same_ranks, &other_ranks}) {
    const auto part = train(*b, 2, false, 11);
    for (const auto outcome : part.outcomes) EXPECT_EQ(outcome, TrainOutcome::interrupted);
    EXPECT_EQ(part.trainers[0]->counters().step, 11);
  }
  const auto same_again = train(same_ranks, 2, true);
  EXPECT_TRUE(same(*same_again.trainers[0]->trained().model, *expected.trainers[0]->trained().model));
  EXPECT_TRUE(same(*same_again.trainers[1]->trained().model, *expected.trainers[0]->trained().model));
  EXPECT_EQ(same_again.trainers[0]->best().error, expected.trainers[0]->best().error);

  const auto checkpoint = std::filesystem::path(other_ranks.config.out) / "checkpoint.safetensors";
  const auto bytes = read_file(checkpoint);
  for (const Index size : {1, 3}) {
    write_file(checkpoint, bytes);
    const auto other = train(other_ranks, size, true);
    EXPECT_LT(largest_gap({other.curves[0].begin(), other.curves[0].begin() + 13},
                          {expected.curves[0].begin() + 11, expected.curves[0].begin() + 24}),
              1e-3);
  }
}

// A loss that explodes on one rank sends all of them back.
TEST(TrainerGroup, RollsBackTogether) {
  TrainerBench b;
  b.config.checkpoint_every = 5;
  b.config.explode_factor = 5;
  bool thrown = false;
  const auto ranks = train(b, 2, false, -1, [&](Trainer& t, Index rank, Index step) {
    if (rank != 1 || step != 32 || std::exchange(thrown, true)) return;
    for (auto& p : t.trained().model->parameters()) p.data().mul_(3);
  });
  for (const auto& t : ranks.trainers) {
    EXPECT_EQ(t->counters().rollbacks, 1);
    EXPECT_EQ(t->counters().step, 40);
  }
  EXPECT_TRUE(same(*ranks.trainers[0]->trained().model, *ranks.trainers[1]->trained().model));
}

TEST(TrainerGroup, TheFirstRanksClockEndsAll) {
  TrainerBench b;
  b.config.max_minutes = 1e-9;
  const auto ranks = train(b, 2);
  for (const auto outcome : ranks.outcomes) EXPECT_EQ(outcome, TrainOutcome::out_of_time);
  EXPECT_TRUE(std::filesystem::exists(ranks.trainers[0]->folder().model()));
}

// Weights that another processor has drawn otherwise are replaced by the first rank's.
TEST(TrainerGroup, BeginsWithTheFirstRanksWeights) {
  TrainerBench b;
  b.config.schedule.steps = 5;
  LateGroup first(0, 2), second(1, 2);
  const auto make = [&](Group& group) {
    return std::make_unique<Trainer>(b.config, b.data, make_split(b.config.data, b.data),
                                     make_sensors(b.config.sensors, b.data), group);
  };
  auto t0 = make(first), t1 = make(second);
  nudge(*t1);
  for (const auto& end : in_ranks(2, [&](Group& group) {
         (group.rank() == 0 ? first : second).real = &group;
         (group.rank() == 0 ? t0 : t1)->run();
       }))
    EXPECT_EQ(end.error, "");
  EXPECT_TRUE(same(*t0->trained().model, *t1->trained().model));
}

TEST(TrainerGroup, RefusesWhatRanksCannotShare) {
  TrainerBench b;
  LateGroup group(4, 5);
  EXPECT_THAT(
      [&] {
        Trainer t(b.config, b.data, make_split(b.config.data, b.data), make_sensors(b.config.sensors, b.data), group);
      },
      ::testing::ThrowsMessage<Error>(AllOf(HasSubstr("train.batch = 4"), HasSubstr("5 ranks"))));
}

}  // namespace
}  // namespace fluidsplat::learn

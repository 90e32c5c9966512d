// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/executor.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/folder_lock.h"
#include "base/temporary_folder.h"
#include "baselines/register.h"
#include "field/content_hash.h"
#include "learn/config/toy_wake.h"
#include "reproduce/replay.h"

namespace fluidsplat::reproduce {
namespace {

namespace fs = std::filesystem;

// A toy wake as if it were a benchmark's data.
class ExecutorTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { baselines::register_baselines(); }
  void SetUp() override {
    const auto wake = learn::toy_wake();
    data.file = folder / "cylinder.h5";
    field::DatasetWriter writer(data.file, wake.schema(), "toy wake");
    for (Index i = 0; i < wake.size(); ++i) writer.add(wake.load(i));
    writer.commit();
    data.title = "embedded data";
    data.hash = field::hash_file(data.file);
    data.dataset = std::make_unique<field::DatasetFile>(data.file);
    run.subject = {"cylinder", "toy", "network"};
    run.config = learn::toy_config("");
    run.config.data.file = "cylinder.h5";
    run.config.schedule.steps = 40;
    run.config.validate_every = 10;
    run.config.checkpoint_every = 7;
    run.config.threads = 1;
    run.sensors = {0};
  }
  static RunHooks stop_after(int questions) {
    return {{}, [left = questions]() mutable { return left-- <= 0; }};
  }

  TemporaryFolder folder;
  BenchmarkData data;
  reproduce::Run run;
};

TEST_F(ExecutorTest, InterruptedAnywhereItEndsAsIfItHadNotBeen) {
  const auto whole = Executor(folder / "a", 5).execute(run, data, {});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->outcome.steps, 40);
  EXPECT_EQ(whole->outcome.cases, 5);
  std::optional<Finished> pieces;
  int sessions = 0;
  // In training, between its steps, and while it is judged.
  while (!pieces && ++sessions < 100) pieces = Executor(folder / "b", 5).execute(run, data, stop_after(9 + sessions));
  EXPECT_GT(sessions, 3);
  ASSERT_TRUE(pieces);
  EXPECT_TRUE(differences(whole->outcome, pieces->outcome).empty());
  EXPECT_EQ(pieces->outcome.find(0)->find(kClean)->mean, whole->outcome.find(0)->find(kClean)->mean) << "the same bits";
}

TEST_F(ExecutorTest, WhatIsTrainedIsNotTrainedAgain) {
  Executor executor(folder / "work", 5);
  ASSERT_TRUE(executor.execute(run, data, {}));
  const auto model = executor.model_file(run, data.hash);
  const auto written = fs::last_write_time(model);
  EXPECT_TRUE(executor.execute(run, data, {}));
  EXPECT_EQ(fs::last_write_time(model), written);
  // Other data or settings: another folder.
  EXPECT_NE(executor.model_file(run, "other"), model);
  auto other = run;
  other.config.schedule.steps = 41;
  EXPECT_NE(executor.model_file(other, data.hash), model);
}

TEST_F(ExecutorTest, RepeatsWithTheSameNumbersAndAnotherSeedWithOthers) {
  const auto first = Executor(folder / "work", 5).execute(run, data, {});
  const auto again = Executor(folder / "replay", 5).repeat(first->manifest, data, {});
  ASSERT_TRUE(again);
  EXPECT_TRUE(differences(first->outcome, again->outcome).empty());
  auto other = first->manifest;
  auto config = learn::parse_train_config(other.config, "config");
  config.seed += 1;
  other.config = settings_text(config);
  const auto otherwise = Executor(folder / "other", 5).repeat(other, data, {});
  EXPECT_FALSE(differences(first->outcome, otherwise->outcome).empty());
}

TEST_F(ExecutorTest, ARunThatRanOutOfTimeRepeatsToTheSameStep) {
  run.config.schedule.steps = 100000;
  run.config.validate_every = 100000;
  run.config.schedule.kind = learn::ScheduleKind::kOneCycle;
  run.config.stop_at = 23;
  const auto first = Executor(folder / "work", 5).execute(run, data, {});
  EXPECT_EQ(first->outcome.steps, 23);
  EXPECT_EQ(first->outcome.ended, "out-of-time");
  const auto again = Executor(folder / "replay", 5).repeat(first->manifest, data, {});
  EXPECT_TRUE(differences(first->outcome, again->outcome).empty());
}

TEST_F(ExecutorTest, ClassicalMethodsAreFittedAndJudgedUnderEveryCondition) {
  run.is_classical = true;
  run.subject.method = "pod-linear-ridge";
  const auto result = Executor(folder / "work", 0).execute(run, data, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome.cases, 12) << "all test cases";
  for (const char* condition : {kClean, kLittleNoise, kMuchNoise, kQuarterDead})
    EXPECT_GT(result->outcome.find(0)->find(condition)->mean, 0) << condition;
  EXPECT_EQ(result->outcome.find(0)->find(kClean)->channels.size(), 2u);
}

TEST_F(ExecutorTest, AFolderInUseIsRefused) {
  Executor executor(folder / "work", 5);
  const FolderLock lock(executor.model_file(run, data.hash).parent_path(), "training");
  EXPECT_THAT([&] { executor.execute(run, data, {}); }, testing::ThrowsMessage<Error>(testing::HasSubstr("in use")));
}

TEST(Differences, AreFoundInErrorsAndStepsNotInTimes) {
  Outcome a;
  a.cases = 5;
  a.steps = 10;
  a.seconds_to_train = 1;
  a.judged = {{0, {{kClean, 0.1, 0.2, {}}}}};
  auto b = a;
  b.seconds_to_train = 9;
  b.judged[0].conditions[0].mean *= 1 + 0.5 * kAgreement;
  EXPECT_TRUE(differences(a, b).empty());
  b.judged[0].conditions[0].worst = 0.21;
  EXPECT_EQ(differences(a, b).size(), 1u);
  b.steps = 11;
  EXPECT_EQ(differences(a, b).size(), 2u);
  b.judged.clear();
  EXPECT_EQ(differences(a, b).size(), 2u) << "an error that is no longer there";
}

}  // namespace
}  // namespace fluidsplat::reproduce

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Several processes that train one model, and what becomes of them when one is killed, hangs or does not come.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <thread>

#include "base/random.h"
#include "base/stopwatch.h"
#include "io/csv.h"
#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

// The processes that a process has started, in that order.
std::vector<pid_t> children_of(pid_t parent) {
  std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", parent));
  std::vector<pid_t> out;
  for (pid_t id = 0; list >> id;) out.push_back(id);
  return out;
}

class LaunchTest : public WaveTest {
 protected:
  static std::vector<std::string> launched(std::vector<std::string> arguments) {
    std::vector<std::string> out = {"launch", "-n", "2", "--", "train", "wave.toml"};
    out.insert(out.end(), arguments.begin(), arguments.end());
    return out;
  }
  std::vector<std::string> run_files() {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_ / "run")) out.push_back(entry.path().filename().string());
    std::ranges::sort(out);
    return out;
  }
  static Index lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
  // Without the progress line.
  static std::string last_line(const std::string& text) {
    const auto end = text.find_last_not_of('\n');
    const auto begin = text.find_last_of("\n\r", end);
    return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
  }
};

TEST_F(LaunchTest, TwoRanksGiveOneProcessesRun) {
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "out=one"}).exit_code, 0);
  const auto two = fluidsplat(launched({"out=two"}));
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_THAT(two.out, AllOf(HasSubstr("60 steps"), HasSubstr("2 ranks")));
  const auto a = io::read_csv(folder_ / "one/log.csv"), b = io::read_csv(folder_ / "two/log.csv");
  ASSERT_EQ(a.rows(), 3u);
  ASSERT_EQ(b.rows(), 3u);
  for (const char* column : {"step", "loss", "data", "observation", "rate", "gradient", "validation"})
    for (Index r = 0; r < 3; ++r)
      EXPECT_NEAR(b.column(column)[r] / a.column(column)[r], 1, 1e-3) << column << ", row " << r;
  for (const char* name : {"model.safetensors", "metrics.json", "cases.csv", "config.toml", "split.json"})
    EXPECT_TRUE(fs::exists(folder_ / "two" / name)) << name;
}

// Killed at moments that nobody chose, and taken up again, a run ends with the very model of one that was left alone.
TEST_F(LaunchTest, ARunWhoseRanksAreKilledGoesOnToTheSameModel) {
  const std::vector<std::string> settings = {"train.steps=400", "train.classical=false"};
  auto whole = settings;
  whole.push_back("out=whole");
  ASSERT_EQ(fluidsplat(launched(whole)).exit_code, 0);
  Random random(std::random_device{}());
  Index kills = 0;
  for (int round = 0; round < 3; ++round) {
    auto arguments = settings;
    if (fs::exists(folder_ / "run/checkpoint.safetensors"))
      arguments.push_back("--resume");
    else
      arguments.push_back("--force");
    Child child(launched(arguments), folder_.path().string());
    const bool both = child.wait_until([&] { return children_of(child.id()).size() == 2; });
    ASSERT_TRUE(both);
    const auto ranks = children_of(child.id());
    // The first two rounds wait for a checkpoint, so that there is something to go on from.
    if (round < 2) child.wait_until([&] { return fs::exists(folder_ / "run/checkpoint.safetensors"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(400)));
    const auto victim = round % 2;
    const bool killed = ::kill(ranks[victim], SIGKILL) == 0;
    const Stopwatch watch;
    const auto outcome = child.wait();
    EXPECT_LT(watch.seconds(), 30) << "the others waited for the timeout";
    if (!killed || outcome.exit_code == 0) continue;  // it had finished
    ++kills;
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(last_line(outcome.err), AllOf(HasSubstr(fmt::format("rank {} of 2", victim)), HasSubstr("--resume")));
  }
  EXPECT_GT(kills, 0);
  auto last = settings;
  last.push_back(fs::exists(folder_ / "run/checkpoint.safetensors") ? "--resume" : "--force");
  const auto finished = fluidsplat(launched(last));
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(contents("run/model.safetensors"), contents("whole/model.safetensors"));
  EXPECT_THAT(run_files(), testing::ElementsAre("cases.csv", "checkpoint.safetensors", "config.toml", "log.csv",
                                                "metrics.json", "model.safetensors", "split.json"))
      << "something unfinished is left";
}

TEST_F(LaunchTest, ARankThatHangsEndsAllWithinTheTimeout) {
  Child child(launched({"train.steps=1000000", "--timeout", "3"}), folder_.path().string());
  ASSERT_TRUE(child.wait_until([&] { return fs::exists(folder_ / "run/checkpoint.safetensors"); }));
  const auto ranks = children_of(child.id());
  ASSERT_EQ(ranks.size(), 2u);
  ::kill(ranks[1], SIGSTOP);
  const auto outcome = child.wait(std::chrono::seconds(60));
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(last_line(outcome.err), AllOf(HasSubstr("rank 1 of 2"), HasSubstr("hangs")));
  EXPECT_NE(::kill(ranks[1], 0), 0) << "it was left behind";
}

TEST_F(LaunchTest, AnInterruptStopsAllRanksAndTheRunGoesOn) {
  {
    Child child(launched({"train.steps=1000000"}), folder_.path().string());
    ASSERT_TRUE(child.wait_until([&] { return fs::exists(folder_ / "run/log.csv"); }));
    child.signal(SIGINT);
    const auto outcome = child.wait();
    EXPECT_EQ(outcome.exit_code, 130);
    EXPECT_THAT(outcome.err, HasSubstr("interrupted; continue with --resume"));
  }
  // With one process this time.
  const auto alone = fluidsplat({"train", "wave.toml", "train.steps=1000000", "--resume", "train.max_minutes=0.0001"});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
}

TEST_F(LaunchTest, AMistakeIsToldOnce) {
  const auto missing = fluidsplat({"launch", "-n", "2", "--", "train", "nowhere.toml"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("nowhere.toml"));
  EXPECT_EQ(lines(missing.err), 1) << missing.err;
  const auto small = fluidsplat({"launch", "-n", "3", "--", "train", "wave.toml", "train.batch=2", "--timeout", "60"});
  EXPECT_THAT(small.err, HasSubstr("train.batch = 2"));
  EXPECT_EQ(lines(small.err), 1) << small.err;
  EXPECT_THAT(fluidsplat({"launch", "-n", "2", "--", "eval", "run"}).err, HasSubstr("only train"));
}

TEST_F(LaunchTest, ARankThatFindsNobodySaysSo) {
  for (const auto& [name, value] :
       {std::pair{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", "9"}})
    ::setenv(name, value, 1);
  const auto outcome = fluidsplat({"train", "wave.toml", "--timeout", "1"});
  for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) ::unsetenv(name);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("rank 1 of 2"), HasSubstr("127.0.0.1:9"), HasSubstr("within 1 s")));
  EXPECT_EQ(lines(outcome.err), 1) << outcome.err;
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

}  // namespace
}  // namespace fluidsplat::tests

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What happens to a run that is already there.
#include <gmock/gmock.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "base/config.h"
#include "io/csv.h"
#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class RunFolderTest : public WaveTest {
 protected:
  std::map<std::string, std::string> run_files() { return files("run"); }
  void train() { ASSERT_EQ(fluidsplat({"train", "wave.toml"}).exit_code, 0); }
};

TEST_F(RunFolderTest, AFinishedRunIsNotReplacedUnlessForced) {
  train();
  const auto before = run_files();
  const auto refused = fluidsplat({"train", "wave.toml", "train.seed=9"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("run: holds a finished run"), HasSubstr("out=run-2"), HasSubstr("--resume"),
                                 HasSubstr("--force")));
  EXPECT_EQ(run_files(), before);
  write_file(folder_ / "run/notes.txt", "mine");
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "train.seed=9", "--force"}).exit_code, 0);
  EXPECT_NE(contents("run/model.safetensors"), before.at((folder_ / "run/model.safetensors").string()));
  EXPECT_EQ(contents("run/notes.txt"), "mine");
  EXPECT_EQ(fluidsplat({"train", "wave.toml", "--force", "--resume"}).exit_code, 2);
}

// The old run is whole until the new one has something to show; then nothing of the old one is left.
TEST_F(RunFolderTest, AnInterruptedReplacementLeavesOneRunOrTheOther) {
  train();
  ASSERT_EQ(fluidsplat({"eval", "run", "--data", "wave.h5", "--cases", "train"}).exit_code, 0);
  const auto before = run_files();
  {
    Child child({"train", "wave.toml", "--force", "train.steps=1000000", "train.checkpoint_every=1000000",
                 "train.validate_every=1000000"},
                folder_.path().string());
    ASSERT_TRUE(child.wait_until([&] { return fs::exists(folder_ / "run/.lock"); }));
    child.signal(SIGINT);
    const auto outcome = child.wait();
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the earlier run as it was"));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("no validation yet"), Not(HasSubstr("inf"))));
  }
  EXPECT_EQ(run_files(), before);
  {
    Child child({"train", "wave.toml", "--force", "train.steps=1000000", "train.checkpoint_every=1000000"},
                folder_.path().string());
    const auto model = folder_ / "run/model.safetensors";
    const auto old = before.at(model.string());
    ASSERT_TRUE(child.wait_until([&] { return fs::exists(model) && read_file(model) != old; }));
    child.signal(SIGINT);
    EXPECT_EQ(child.wait().exit_code, 130);
  }
  EXPECT_FALSE(fs::exists(folder_ / "run/metrics.json")) << "of the old model";
  EXPECT_FALSE(fs::exists(folder_ / "run/cases.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "run/eval-train"));
  EXPECT_THAT(contents("run/config.toml"), HasSubstr("steps = 1000000"));
  EXPECT_EQ(fluidsplat({"train", "wave.toml"}).exit_code, 1) << "an unfinished run is not replaced either";
}

TEST_F(RunFolderTest, OneTrainingAtATime) {
  const std::vector<std::string> arguments = {"train", "wave.toml", "train.steps=1000000"};
  Child first(arguments, folder_.path().string());
  ASSERT_TRUE(first.wait_until([&] { return fs::exists(folder_ / "run/log.csv"); }));
  const auto lock = contents("run/.lock");
  const auto second = fluidsplat({"train", "wave.toml", "--resume"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err,
              AllOf(HasSubstr("run: is in use: training, process "), HasSubstr(" on "), HasSubstr("since")));
  EXPECT_THAT(second.err, HasSubstr(lock.substr(0, lock.size() - 1)));
  EXPECT_EQ(fluidsplat({"train", "wave.toml", "--force"}).exit_code, 1);
  first.signal(SIGKILL);
  first.wait();
  ASSERT_TRUE(fs::exists(folder_ / "run/.lock")) << "nobody could remove it";
  const auto third = fluidsplat({"train", "wave.toml", "--force"});
  EXPECT_EQ(third.exit_code, 0) << third.err;
  EXPECT_FALSE(fs::exists(folder_ / "run/.lock"));
}

TEST_F(RunFolderTest, EveryConfigOfADatasetHasARunFolderOfItsOwn) {
  const auto out_of = [&](const char* config) { return *Config::peek(contents(config), "out", config); };
  const auto init = [&](const std::string& config, const std::string& flag = "--seed=1") {
    const auto outcome = fluidsplat({"init", "wave.h5", "--minutes", "0.01", "--out", config, flag});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  init("a.toml");
  init("b.toml");
  EXPECT_EQ(out_of("a.toml"), "runs/wave");
  EXPECT_EQ(out_of("b.toml"), "runs/wave-2");
  init("a.toml", "--force");
  EXPECT_EQ(out_of("a.toml"), "runs/wave") << "its own folder, which holds nothing yet";
  fs::create_directories(folder_ / "runs/wave");
  init("a.toml", "--force");
  EXPECT_EQ(out_of("a.toml"), "runs/wave-3");
}

TEST_F(RunFolderTest, PathsInAConfigAreRelativeToIt) {
  fs::create_directories(folder_ / "elsewhere");
  const auto trained = run({"train", "../wave.toml", "train.steps=5"}, (folder_ / "elsewhere").string());
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_TRUE(fs::exists(folder_ / "run/model.safetensors"));
  EXPECT_THAT(contents("run/config.toml"), AllOf(HasSubstr("file = \"../wave.h5\""), HasSubstr("out = \".\"")));
  const auto typed = run({"train", "../wave.toml", "train.steps=5", "out=here"}, (folder_ / "elsewhere").string());
  ASSERT_EQ(typed.exit_code, 0) << typed.err;
  EXPECT_TRUE(fs::exists(folder_ / "elsewhere/here/model.safetensors")) << "what is typed is seen from where one is";
  ASSERT_EQ(fluidsplat({"init", "wave.h5", "--minutes", "0.01", "--out", "elsewhere/c.toml"}).exit_code, 0);
  EXPECT_THAT(contents("elsewhere/c.toml"), AllOf(HasSubstr("\"../wave.h5\""), HasSubstr("\"../runs/wave\"")));
}

TEST_F(RunFolderTest, ResumeMakesARunLongerAndNamesWhatMayChange) {
  train();
  const auto longer = fluidsplat({"train", "wave.toml", "--resume", "train.steps=100", "train.validate_every=10"});
  ASSERT_EQ(longer.exit_code, 0) << longer.err;
  EXPECT_EQ(io::read_csv(folder_ / "run/log.csv").column("step").back(), 100);
  EXPECT_THAT(contents("run/config.toml"), HasSubstr("steps = 100"));
  const auto refused = fluidsplat({"train", "wave.toml", "--resume", "train.steps=100", "train.rate=1e-3"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("train.rate was 0.003 and is 0.001"), HasSubstr("may change: train.steps")));
  const auto again = fluidsplat({"train", "wave.toml", "--resume", "train.steps=100"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("has taken its 100 steps"));
}

TEST_F(RunFolderTest, AModelIsAPlaceToStartFrom) {
  train();
  const auto error = [&](const char* run) {
    return nlohmann::json::parse(contents((std::string(run) + "/metrics.json").c_str()))
        .at("relative_l2")
        .get<double>();
  };
  const auto tuned = fluidsplat(
      {"train", "wave.toml", "--from", "run", "out=tuned", "train.steps=2", "train.rate=1e-6", "model.width=32"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_NEAR(error("tuned"), error("run"), 0.02 * error("run")) << "two tiny steps from where it was";
  EXPECT_THAT(contents("tuned/config.toml"),
              AllOf(HasSubstr("from = \"../run/model.safetensors\""), HasSubstr("\nwidth = 16")));
}

}  // namespace
}  // namespace fluidsplat::tests

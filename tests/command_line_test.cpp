// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "io/csv.h"
#include "io/npy.h"
#include "io/png.h"
#include "io/pvd.h"
#include "io/vtk.h"
#include "tests/run_program.h"
#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::chrono::seconds kAtOnce{1};

class CommandLine : public WaveTest {};

TEST_F(CommandLine, VersionAndHelp) {
  EXPECT_THAT(fluidsplat({"version"}).out, HasSubstr("fluidsplat "));
  const auto help = fluidsplat({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"demo", "data", "train", "eval", "readings", "reconstruct", "inspect", "version"})
    EXPECT_THAT(help.out, HasSubstr(command));
  EXPECT_THAT(fluidsplat({"data", "make", "cylinder", "--help"}).out, AllOf(HasSubstr("--frames"), HasSubstr("1000")));
  EXPECT_THAT(fluidsplat({"train", "wave.toml", "--show"}).out, HasSubstr("batch = 4  # cases per step"));
  EXPECT_THAT(fluidsplat({"train", "wave.toml", "--show", "--engine", "reference"}).out,
              HasSubstr("engine = \"reference\""));
}

TEST_F(CommandLine, SmallMistakesAreUnderstood) {
  EXPECT_THAT(fluidsplat({"--version"}).out, HasSubstr("fluidsplat 0."));
  const auto typo = fluidsplat({"trian", "wave.toml"});
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("there is no command \"trian\", did you mean \"train\"?"));
  EXPECT_THAT(fluidsplat({"import", "a.npz"}).err, HasSubstr("did you mean \"data import\"?"));
  EXPECT_THAT(fluidsplat({"data", "imprt", "a.npz"}).err,
              HasSubstr("no command \"data imprt\", did you mean \"data import\"?"));
  EXPECT_THAT(fluidsplat({"init", "wave.h5", "--sensor", "8"}).err, HasSubstr("did you mean --sensors?"));
  EXPECT_THAT(fluidsplat({"train", "wave.toml", "--froce"}).err, HasSubstr("did you mean --force?"));
  EXPECT_THAT(fluidsplat({"data"}).err, HasSubstr("data needs a command: make, "));
  EXPECT_EQ(fluidsplat({"data", "--help"}).exit_code, 0);
  EXPECT_THAT(fluidsplat({"eval", "run"}).err, HasSubstr("--data is required")) << "what is right is not blamed";
  EXPECT_THAT(fluidsplat({"train", "wave.h5"}).err, AllOf(HasSubstr("wave.h5: is a dataset"), HasSubstr("init")));
  EXPECT_THAT(fluidsplat({"eval", "wave.h5", "--data", "wave.h5"}).err,
              HasSubstr("wave.h5: is a dataset, a model was"));
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "train.steps=5"}).exit_code, 0);
  EXPECT_THAT(fluidsplat({"train", "run/model.safetensors"}).err, HasSubstr("is a model, a config was expected"));
  EXPECT_THAT(fluidsplat({"eval", "run", "--data", "run/model.safetensors"}).err,
              HasSubstr("is a model, a dataset was"));
  EXPECT_THAT(fluidsplat({"reconstruct", "wave.toml", "--readings", "r.csv"}).err, HasSubstr("wave.toml: is a config"));
}

// As a log file sees it: lines of their own, and nothing that moves a cursor.
TEST_F(CommandLine, ProgressIsToldNowAndThenOffATerminal) {
  ::setenv("FLUIDSPLAT_PROGRESS_SECONDS", "0", 1);
  const auto trained = fluidsplat({"train", "wave.toml", "train.steps=30"});
  ::unsetenv("FLUIDSPLAT_PROGRESS_SECONDS");
  ASSERT_EQ(trained.exit_code, 0);
  EXPECT_THAT(trained.err, AllOf(HasSubstr("training  30/30  loss "), Not(HasSubstr("\r")), Not(HasSubstr("\033"))));
  EXPECT_EQ(trained.err.back(), '\n');
}

// Root may write everywhere, so a file stands where a folder is needed.
TEST_F(CommandLine, WhatCannotBeWrittenIsNamed) {
  write_file(folder_ / "blocked", "");
  const auto outcome = fluidsplat({"train", "wave.toml", "out=blocked/run"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("blocked/run: cannot create the folder: "), HasSubstr("Not a directory")));
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "train.steps=5"}).exit_code, 0);
  ASSERT_EQ(fluidsplat({"readings", "run", "--data", "wave.h5", "--out", "r.csv"}).exit_code, 0);
  const auto fields = fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--out", "blocked/fields"});
  EXPECT_EQ(fields.exit_code, 1);
  EXPECT_THAT(fields.err, AllOf(HasSubstr("blocked/fields: "), Not(HasSubstr("internal"))));
}

TEST_F(CommandLine, TrainsEvaluatesAndIsSilentOffATerminal) {
  const auto trained = fluidsplat({"train", "wave.toml"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("relative L2 error"));
  EXPECT_EQ(trained.err, "");
  for (const char* name : {"run/model.safetensors", "run/checkpoint.safetensors", "run/config.toml", "run/split.json",
                           "run/log.csv", "run/metrics.json", "run/cases.csv"})
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
  const auto metrics = [&](const char* name) { return nlohmann::json::parse(contents(name)); };
  auto before = metrics("run/metrics.json");
  const auto judged = fluidsplat({"eval", "run", "--data", "wave.h5", "--out", "judged again"});
  EXPECT_EQ(judged.exit_code, 0) << judged.err;
  auto again = metrics("judged again/metrics.json");
  EXPECT_THAT(before["provenance"]["command"].get<std::string>(), StartsWith("fluidsplat train wave.toml"))
      << "no folder of this machine";
  EXPECT_EQ(again["provenance"]["command"], "fluidsplat eval run --data wave.h5 --out 'judged again'")
      << "as one would type it";
  for (auto* m : {&before, &again}) (*m)["provenance"].erase("command"), (*m)["provenance"].erase("date");
  EXPECT_EQ(again, before);
  // The resolved config repeats the run.
  const auto model = contents("run/model.safetensors");
  EXPECT_EQ(fluidsplat({"train", "run/config.toml", "--force"}).exit_code, 0);
  EXPECT_TRUE(contents("run/model.safetensors") == model) << "the same config gave another model";
}

// A report calls the cases beside the model unseen: other cases and other sensors go elsewhere, and say what they are.
TEST_F(CommandLine, OtherEvaluationsLeaveTheRunsOwnAlone) {
  ASSERT_EQ(fluidsplat({"train", "wave.toml"}).exit_code, 0);
  const auto cases = contents("run/cases.csv"), metrics = contents("run/metrics.json");
  EXPECT_EQ(fluidsplat({"eval", "run", "--data", "wave.h5", "--cases", "train"}).exit_code, 0);
  EXPECT_EQ(fluidsplat({"eval", "run", "--data", "wave.h5", "--count", "2"}).exit_code, 0);
  EXPECT_EQ(contents("run/cases.csv"), cases);
  EXPECT_EQ(contents("run/metrics.json"), metrics);
  EXPECT_THAT(contents("run/eval-train/cases.csv"), HasSubstr("# cases: train\n"));
  const auto fewer = nlohmann::json::parse(contents("run/eval-test-2-sensors/metrics.json"));
  EXPECT_EQ(fewer["provenance"]["sensors"], "as in training, 2 of them");
  EXPECT_NE(fewer["relative_l2"], nlohmann::json::parse(metrics)["relative_l2"]);
  const auto many = fluidsplat({"eval", "run", "--data", "wave.h5", "--count", "99"});
  EXPECT_EQ(many.exit_code, 1) << "fixed places cannot become more";
}

// From a trained model and readings to files that VTK's own readers and NumPy open.
TEST_F(CommandLine, ReconstructsAndInspects) {
  ASSERT_EQ(fluidsplat({"train", "wave.toml"}).exit_code, 0);
  const auto readings = fluidsplat({"readings", "run", "--data", "wave.h5", "--out", "r.csv"});
  ASSERT_EQ(readings.exit_code, 0) << readings.err;
  EXPECT_THAT(contents("r.csv"), HasSubstr("time,s1.w,s2.w,s3.w\n"));
  const auto on_grid = fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--grid", "20x10", "--out", "grid"});
  ASSERT_EQ(on_grid.exit_code, 0) << on_grid.err;
  EXPECT_EQ(on_grid.err, "");
  const auto entries = io::read_pvd(folder_ / "grid/field.pvd");
  ASSERT_EQ(entries.size(), 10u) << "all test cases";
  const auto image = io::read_vtk(folder_ / "grid" / entries[0].file);
  EXPECT_EQ(image.point_count(), 200);
  for (const char* name : {"w", "scaffold_w", "mass"}) EXPECT_TRUE(image.find_point_data(name)) << name;

  // The points of an earlier result are a mesh like any other; the field there must be the same.
  const auto again =
      fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--mesh", "grid/" + entries[0].file, "--out", "mesh"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(io::read_vtk(folder_ / "mesh" / entries[0].file).find_point_data("w")->values,
            image.find_point_data("w")->values);
  const auto npy =
      fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--data", "wave.h5", "--format", "npy", "--out", "npy"});
  ASSERT_EQ(npy.exit_code, 0) << npy.err;
  EXPECT_EQ(io::read_npy(folder_ / "npy/field.npy").shape, (std::vector<Index>{10, 8, 12, 1}));

  const auto inspected = fluidsplat({"inspect", "run", "--data", "wave.h5", "--case", "3", "--out", "look"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  EXPECT_THAT(inspected.out, AllOf(HasSubstr("6 primitives"), HasSubstr("3 sensors"), HasSubstr("channel     w")));
  EXPECT_EQ(io::read_csv(folder_ / "look/primitives.csv").rows(), 6u);
  EXPECT_EQ(io::read_vtk(folder_ / "look/primitives.vtp").cell_count(), 6);
  EXPECT_GT(io::read_png(folder_ / "look/primitives_w.png").width, 0);

  // A sensor without a column is said to be missing; a wrong column is an error.
  write_file(folder_ / "two.csv", "s1,s3\n0.5,0.1\n");
  EXPECT_THAT(fluidsplat({"reconstruct", "run", "--readings", "two.csv", "--out", "two"}).err,
              HasSubstr("no column for s2.w"));
  write_file(folder_ / "wrong.csv", "s1,p3\n0.5,0.1\n");
  const auto wrong = fluidsplat({"reconstruct", "run", "--readings", "wrong.csv", "--out", "wrong"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("wrong.csv"), HasSubstr("\"p3\"")));
  EXPECT_FALSE(fs::exists(folder_ / "wrong"));
  const auto no_mesh = fluidsplat(
      {"reconstruct", "run", "--readings", "r.csv", "--data", "wave.h5", "--mesh-number", "1", "--out", "wrong"});
  EXPECT_EQ(no_mesh.exit_code, 1);
  EXPECT_THAT(no_mesh.err, AllOf(HasSubstr("wave.h5: there is no mesh 1"), HasSubstr("(--mesh-number")));
  EXPECT_THAT(fluidsplat({"eval", "run", "--data", "wave.h5", "--forces", "forces.channel=w"}).err,
              HasSubstr("forces.kind"));

  const auto page = fluidsplat({"report", "run", "--data", "wave.h5", "--out", "page"});
  ASSERT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(contents("page/index.html"), AllOf(HasSubstr("Worst case"), HasSubstr("<svg")));
  write_file(folder_ / "run/cases.csv", "case,name,time,relative_l2,max_error,sensor_consistency\n3,,3,oops,1,0.1\n");
  const auto damaged = fluidsplat({"report", "run", "--data", "wave.h5", "--out", "none"});
  EXPECT_EQ(damaged.exit_code, 1) << damaged.err;
  EXPECT_THAT(damaged.err, AllOf(HasSubstr("cases.csv"), HasSubstr("row 1"), HasSubstr("\"relative_l2\"")));
}

// The trainer is killed without warning, again and again, each time after it has come further; what it leaves must
// load, and the end must be the same bits.
TEST_F(CommandLine, SurvivesKillAtRandomMoments) {
  const std::string steps = "train.steps=2000";
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "out=whole", steps}).exit_code, 0);
  const auto checkpoint = folder_ / "killed/checkpoint.safetensors", model = folder_ / "killed/model.safetensors";
  std::vector<std::string> arguments = {"train", "wave.toml", "out=killed", steps};
  Random random(::getpid());
  for (int attempt = 0; attempt < 4; ++attempt) {
    const auto before = attempt > 0 ? fs::last_write_time(checkpoint) : fs::file_time_type::min();
    Child child(arguments, folder_.path().string());
    ASSERT_TRUE(child.wait_until([&] { return fs::exists(checkpoint) && fs::last_write_time(checkpoint) > before; }))
        << "attempt " << attempt << ": no checkpoint was written\n"
        << child.wait(kAtOnce).err;
    std::this_thread::sleep_for(std::chrono::microseconds(int(random.uniform(0, 50'000))));
    child.signal(SIGKILL);
    ASSERT_EQ(child.wait().exit_code, 128 + SIGKILL) << "attempt " << attempt << ": it ended before it was killed";
    if (fs::exists(model)) {
      EXPECT_EQ(fluidsplat({"inspect", "killed"}).exit_code, 0) << "attempt " << attempt;
    }
    if (attempt == 0) arguments.push_back("--resume");
  }
  const auto last = fluidsplat(arguments);
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_TRUE(contents("killed/model.safetensors") == contents("whole/model.safetensors"));
}

// Only the interrupt writes a checkpoint here, and the second run starts where it was written.
TEST_F(CommandLine, AnInterruptSavesAndSaysHowToGoOn) {
  std::vector<std::string> arguments = {"train", "wave.toml", "train.steps=1000000", "train.checkpoint_every=1000000"};
  const auto log = folder_ / "run/log.csv";
  const auto rows_in_log = [&] { return fs::exists(log) ? io::read_csv(log).rows() : 0; };
  const auto interrupt = [&](std::size_t rows) {
    Child child(arguments, folder_.path().string());
    EXPECT_TRUE(child.wait_until([&] { return rows_in_log() >= rows; })) << "it does not come to row " << rows;
    child.signal(SIGINT);
    const auto outcome = child.wait(std::chrono::seconds(60));
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--resume"));
    EXPECT_TRUE(fs::exists(folder_ / "run/checkpoint.safetensors"));
    return io::read_csv(log).column("step");
  };
  const auto before = interrupt(3);
  arguments.push_back("--resume");
  const auto after = interrupt(before.size() + 2);
  ASSERT_GE(after.size(), before.size() + 2);
  for (std::size_t k = 0; k < after.size(); ++k) EXPECT_EQ(after[k], 20.0 * double(k + 1)) << "of one run, row by row";
}

// What all of these tests rest on.
TEST_F(CommandLine, ACommandThatTakesTooLongIsKilled) {
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = run({"train", "wave.toml", "train.steps=1000000"}, folder_.path().string(), kAtOnce);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
  EXPECT_THAT(outcome.err, HasSubstr("longer than 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(CommandLine, MistakesGetAClearErrorAndANonZeroExit) {
  struct Mistake {
    std::vector<std::string> arguments;
    std::string says;
  };
  write_file(folder_ / "typo.toml", "[train]\nstep = 5\n");
  write_file(folder_ / "broken.toml", "[train\n");
  write_file(folder_ / "empty.toml", "");
  write_file(folder_ / "garbage.h5", "not hdf5");
  write_file(folder_ / "garbage.safetensors", std::string(100, '\xff'));
  const auto whole = contents("wave.h5");
  write_file(folder_ / "half.h5", whole.substr(0, whole.size() / 2));
  for (const auto& m : std::vector<Mistake>{
           {{"train", "missing.toml"}, "missing.toml"},
           {{"train", "typo.toml"}, "train.steps"},
           {{"train", "broken.toml"}, "broken.toml:1"},
           {{"train", "empty.toml"}, "data.file"},
           {{"train", "wave.toml", "data.file=nowhere.h5"}, "nowhere.h5"},
           {{"train", "wave.toml", "data.file=garbage.h5"}, "garbage.h5"},
           {{"train", "wave.toml", "data.file=half.h5"}, "half.h5"},
           {{"train", "wave.toml", "train.batch=none"}, "train.batch"},
           {{"train", "wave.toml", "model.heads=3"}, "model.heads"},
           {{"train", "wave.toml", "sensors.cells=[[9, 9]]"}, "outside the grid"},
           {{"train", "wave.toml", "sensors.channels=['q']"}, "\"q\""},
           {{"train", "wave.toml", "data.train_cases=500"}, "500"},
           {{"train", "wave.toml", "train.device=gpu7"}, "train.device"},
           {{"train", "wave.toml", "--resume"}, "checkpoint.safetensors"},
           {{"eval", "nowhere.safetensors", "--data", "wave.h5", "--cases", "all"}, "nowhere.safetensors"},
           {{"eval", "garbage.safetensors", "--data", "wave.h5", "--cases", "all"}, "garbage.safetensors"},
           {{"eval", "garbage.safetensors", "--data", "garbage.h5", "--cases", "all"}, "garbage.h5"},
           {{"eval", "garbage.safetensors", "--data", "wave.h5"}, "split.json"}}) {
    const auto outcome = fluidsplat(m.arguments);
    EXPECT_EQ(outcome.exit_code, 1) << fmt::format("{}", fmt::join(m.arguments, " "));
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("fluidsplat: "), HasSubstr(m.says), Not(HasSubstr("internal error"))));
  }
  EXPECT_EQ(fluidsplat({}).exit_code, 2);
  EXPECT_EQ(fluidsplat({"nonsense"}).exit_code, 2);
  EXPECT_EQ(fluidsplat({"data", "make", "cylinder", "--frames", "-3"}).exit_code, 2);
}

}  // namespace
}  // namespace fluidsplat::tests

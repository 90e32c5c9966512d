// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Disks that are full.  A limit on the size of files (ulimit -f) fails as a full disk does, for everyone and anywhere;
// /dev/full is a full disk for what is printed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <map>

#include "io/npy.h"
#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FullDisk : public WaveTest {
 protected:
  // Runs the program through a shell, `before` as "ulimit -f 1 &&" and `after` as "> /dev/full".  What it says comes
  // through a pipe, which no limit touches.
  Outcome shell(const std::string& before, const std::string& arguments, const std::string& after) {
    const auto command = fmt::format("cd '{}' && {} OMP_NUM_THREADS=1 '{}' {} 2>&1 {}", folder_.path().string(), before,
                                     FLUIDSPLAT_PROGRAM, arguments, after);
    Outcome outcome;
    FILE* said = ::popen(command.c_str(), "r");
    for (int c; (c = std::fgetc(said)) != EOF;) outcome.err += char(c);
    const int status = ::pclose(said);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
  }
  // With files of at most so many half kilobytes the command fails, names the file, and leaves what was there.
  void expect_refused(int blocks, const std::string& arguments, const std::string& file) {
    SCOPED_TRACE(arguments);
    const auto before = files();
    const auto outcome = shell(fmt::format("ulimit -f {} &&", blocks), arguments, "> /dev/null");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("fluidsplat: "), HasSubstr(file), HasSubstr("File too large"),
                                   HasSubstr("ulimit -f"), Not(HasSubstr("internal"))));
    EXPECT_TRUE(files() == before) << "something was left behind, or lost";
  }
};

TEST_F(FullDisk, NothingHalfWrittenIsLeft) {
  std::vector<float> values;
  for (int i = 0; i < 20 * 30 * 40; ++i) values.push_back(std::sin(float(i) * float(i)));
  io::write_npy(folder_ / "w.npy", io::Array::from<float>({20, 30, 40}, values));
  expect_refused(20, "data import w.npy --out d.h5", "d.h5");
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "train.steps=5"}).exit_code, 0);
  expect_refused(0, "readings run --data wave.h5 --out r.csv", "r.csv");
  ASSERT_EQ(fluidsplat({"readings", "run", "--data", "wave.h5", "--out", "r.csv"}).exit_code, 0);
  ASSERT_EQ(fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--grid", "4x4", "--out", "f"}).exit_code, 0);
  expect_refused(20, "reconstruct run --readings r.csv --grid 40x40 --out f", "field_0000.vti");
  expect_refused(20, "reconstruct run --readings r.csv --grid 40x40 --format npy --out f", "field.npy");
  expect_refused(0, "eval run --data wave.h5", "run/");
  expect_refused(20, "report run --data wave.h5", "index.html");
}

// A training that cannot write its checkpoint says so, and what it replaces or continues is still there.
TEST_F(FullDisk, TrainingKeepsWhatThereWas) {
  const auto first = shell("ulimit -f 20 &&", "train wave.toml train.steps=20", "> /dev/null");
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_THAT(first.err, AllOf(HasSubstr("run/"), HasSubstr(".safetensors"), HasSubstr("File too large")));
  EXPECT_FALSE(fs::exists(folder_ / "run/model.safetensors"));
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "--force"}).exit_code, 0);
  const auto before = contents("run/checkpoint.safetensors");
  const auto longer = shell("ulimit -f 20 &&", "train wave.toml --resume train.steps=90", "> /dev/null");
  EXPECT_EQ(longer.exit_code, 1);
  EXPECT_TRUE(contents("run/checkpoint.safetensors") == before);
  EXPECT_EQ(fluidsplat({"train", "wave.toml", "--resume", "train.steps=90"}).exit_code, 0);
}

TEST_F(FullDisk, WhatIsPrintedAndLostIsAnError) {
  ASSERT_EQ(fluidsplat({"train", "wave.toml", "train.steps=5"}).exit_code, 0);
  ASSERT_EQ(fluidsplat({"readings", "run", "--data", "wave.h5", "--out", "r.csv"}).exit_code, 0);
  for (const char* command : {"--help", "data info wave.h5", "train wave.toml --show",
                              "reconstruct run --readings r.csv --format npy --out -"}) {
    const auto outcome = shell("", command, "> /dev/full");
    EXPECT_EQ(outcome.exit_code, 1) << command;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("standard output: cannot write: No space left on device; make room"),
                                   Not(HasSubstr("internal"))))
        << command;
  }
}

}  // namespace
}  // namespace fluidsplat::tests

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "io/csv.h"
#include "tests/run_program.h"
#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Compare : public WaveTest {};

// A wave of two modes is linear in its readings: a network that trains for seconds cannot win.
TEST_F(Compare, TellsWhichMethodToUse) {
  const auto r = fluidsplat({"compare", "wave.toml", "--minutes", "0.05", "--networks", "fluidsplat", "--out", "c"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("training mean"), HasSubstr("POD, Matern kernel"), HasSubstr("fluidsplat"),
                           HasSubstr("Use POD"), HasSubstr("does not earn its place")));
  const auto table = io::read_text_csv(folder_ / "c/comparison.csv");
  EXPECT_GE(table.rows.size(), 12);
  EXPECT_THAT(table.header, ::testing::Contains("5 % noise"));
  EXPECT_THAT(read_file(folder_ / "c/index.html"), AllOf(HasSubstr("<svg"), HasSubstr("Use POD")));
  EXPECT_TRUE(fs::exists(folder_ / "c/fluidsplat/model.safetensors"));
  EXPECT_THAT(fluidsplat({"compare", "wave.toml", "--networks", "senseivr"}).err,
              HasSubstr("there are fluidsplat, senseiver"));
}

TEST_F(Compare, WithoutTimeNothingIsTrained) {
  const auto r = fluidsplat({"compare", "wave.toml", "--minutes", "0"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(Not(HasSubstr("\nfluidsplat")), HasSubstr("of the methods that need no training")));
  EXPECT_TRUE(fs::exists(folder_ / "run-compare/index.html")) << "beside where the config's run goes";
  EXPECT_FALSE(fs::exists(folder_ / "run/model.safetensors"));
}

// Beside our error always stands the strongest classical method's.
TEST_F(Compare, TrainAndReportTellTheBestClassicalMethod) {
  const auto r = fluidsplat({"train", "wave.toml", "train.steps=5"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("the best method without training, POD"), HasSubstr("better than this model")));
  ASSERT_EQ(fluidsplat({"report", "run", "--data", "wave.h5"}).exit_code, 0);
  EXPECT_THAT(read_file(folder_ / "run/report/index.html"), HasSubstr("the best method without training (POD"));
  const auto silent = fluidsplat({"train", "wave.toml", "train.steps=5", "train.classical=false", "--force"});
  EXPECT_THAT(silent.out, Not(HasSubstr("without training")));
  EXPECT_FALSE(fs::exists(folder_ / "run/classical.json")) << "of the run that was replaced";
}

TEST_F(Compare, EveryClassicalKindIsAModel) {
  auto config = contents("wave.toml");
  config.erase(config.find("[model]"), config.find("[sampling]") - config.find("[model]"));
  write_file(folder_ / "plain.toml", config);
  for (const char* kind : {"mean", "interpolation", "nearest-case", "pod"}) {
    const auto out = std::string("out=") + kind;
    const auto r = fluidsplat({"train", "plain.toml", std::string("model.kind=") + kind, out});
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_THAT(r.out, Not(HasSubstr("without training")));
    EXPECT_EQ(fluidsplat({"eval", kind, "--data", "wave.h5"}).exit_code, 0) << kind;
  }
  EXPECT_EQ(fluidsplat({"report", "pod", "--data", "wave.h5"}).exit_code, 0);
  EXPECT_EQ(fluidsplat({"inspect", "pod"}).exit_code, 0);
}

}  // namespace
}  // namespace fluidsplat::tests

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// A benchmark's published files through the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "io/npy.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Ten frames of waves behind a disc, as Senseiver's array.
void write_published_files(const fs::path& folder) {
  std::vector<float> values;
  for (int t = 0; t < 10; ++t)
    for (int row = 0; row < 112; ++row)
      for (int column = 0; column < 192; ++column)
        values.push_back(std::hypot(row - 55.5, column - 13.5) < 6 ? 0.f : 2 + std::sin(0.1f * float(column - 3 * t)));
  io::write_npy(folder / "Cy_Taira.npy", io::Array::from<float>({10, 112, 192, 1}, values));
}

TEST(BenchmarkData, ImportKeepsTheProtocolsSplit) {
  const TemporaryFolder folder;
  const auto where = folder.path().string();
  write_published_files(folder / "senseiver");
  const auto imported = run({"data", "import", "--benchmark", "cylinder", "senseiver", "--out", "wake.h5"}, where);
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("10 frames of 112 x 192 pixels"));
  EXPECT_EQ(field::DatasetFile(folder / "wake.h5").split_names(), std::vector<std::string>{"paper"});

  const auto unknown = run({"data", "import", "--benchmark", "cylindre", "senseiver"}, where);
  EXPECT_NE(unknown.exit_code, 0);
  EXPECT_THAT(unknown.err, HasSubstr("is \"cylinder\" meant?"));
  const auto recipe = run({"data", "import", "--benchmark", "cylinder", "senseiver", "--arrays", "u"}, where);
  EXPECT_NE(recipe.exit_code, 0);
}

TEST(BenchmarkData, AConfigTakesTheUsersFolder) {
  const TemporaryFolder folder;
  const auto where = folder.path().string();
  write_published_files(folder / "senseiver");
  const std::vector<std::string> small = {"train",
                                          FLUIDSPLAT_CONFIGS "/cylinder/surface-8.toml",
                                          "data.file=wake.h5",
                                          "data.source=senseiver",
                                          "data.split=named",
                                          "data.split_name=paper",
                                          "sampling.queries=32",
                                          "train.batch=1",
                                          "train.steps=1",
                                          "train.threads=1",
                                          "out=run"};
  const auto trained = run(small, where);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("wake-senseiver.h5"));
  EXPECT_TRUE(fs::exists(folder / "wake-senseiver.h5"));
  EXPECT_FALSE(fs::exists(folder / "wake.h5"));
  EXPECT_THAT(read_file(folder / "run/config.toml"), HasSubstr("wake-senseiver.h5"));
}

}  // namespace
}  // namespace fluidsplat::tests

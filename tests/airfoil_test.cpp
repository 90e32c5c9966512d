// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The airfoil benchmark from the solver to predictions beside the truth.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "benchmarks/airfrans_fixture.h"
#include "io/vtk.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(Airfoils, AreMadeImportedLearntAndWrittenBack) {
  const TemporaryFolder folder;
  const auto where = folder.path().string();
  const auto made = run({"data", "make", "airfoil", "--out", "set", "--cases", "1", "--cells", "16"}, where);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("data import --benchmark airfrans set"));
  EXPECT_TRUE(fs::exists(folder / "set/manifest.json"));

  // One case is no split: go on with made-up ones.
  const auto names = benchmarks::write_made_up_folder(folder / "more", 8);
  const auto imported = run({"data", "import", "--benchmark", "airfrans", "more", "--out", "more.h5"}, where);
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("split \"aoa\""));

  const auto trained = run({"train", std::string(FLUIDSPLAT_CONFIGS) + "/airfrans/reduced-full-8.toml",
                            "data.file=more.h5", "data.source=", "data.benchmark=", "train.steps=3", "train.threads=1",
                            "train.batch=2", "sampling.queries=64", "out=run"},
                           where);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("on the wall: relative L2"));

  const auto judged =
      run({"eval", "run", "--data", "more.h5", "--forces", std::string(FLUIDSPLAT_CONFIGS) + "/airfrans/forces.toml"},
          where);
  ASSERT_EQ(judged.exit_code, 0) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("pressure forces"));
  EXPECT_THAT(judged.out, HasSubstr("friction forces"));
  const auto metrics = nlohmann::json::parse(read_file(folder / "run/metrics.json"));
  EXPECT_TRUE(metrics.contains("surface"));
  EXPECT_TRUE(metrics.at("friction_forces").contains("drag"));
  const auto cases = read_file(folder / "run/cases.csv");
  for (const auto* column : {"drag_true", "lift", "friction_drag_true", "friction_lift", "surface_l2_p"})
    EXPECT_THAT(cases, HasSubstr("," + std::string(column))) << column;

  const auto written = run({"reconstruct", "run", "--data", "more.h5", "--airfrans", "more"}, where);
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const auto file = folder / "more" / names.back() / (names.back() + "_internal_predicted.vtu");
  ASSERT_TRUE(fs::exists(file));
  EXPECT_TRUE(io::read_vtk(file).find_point_data("U"));
  EXPECT_TRUE(fs::exists(folder / "more" / names.back() / (names.back() + "_aerofoil_predicted.vtp")));
  EXPECT_FALSE(fs::exists(folder / "more" / names.front() / (names.front() + "_internal_predicted.vtu")))
      << "cases of training are not asked for";
}

TEST(Airfoils, ReconstructSaysWhatItNeeds) {
  const auto nothing = run({"reconstruct", "model.safetensors"}, ".");
  EXPECT_NE(nothing.exit_code, 0);
  EXPECT_THAT(nothing.err, HasSubstr("--readings"));
}

}  // namespace
}  // namespace fluidsplat::tests

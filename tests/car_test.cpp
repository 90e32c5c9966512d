// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The car benchmark as a user goes through it: cars made, imported, trained on by the paper's protocol and judged with
// several numbers of sensors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

nlohmann::json metrics(const fs::path& folder) {
  return nlohmann::json::parse(read_file(folder / "metrics.json"));
}

TEST(CarBenchmark, FromNothingToATableOfErrors) {
  const TemporaryFolder folder;
  const auto where = folder.path().string();
  const std::vector<std::string> make = {"data",    "make", "car",    "--out", "cars",   "--cases", "4",
                                         "--panel", "0.35", "--rows", "500",   "--seed", "3"};
  const auto made = run(make, where);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("cars: 4 cases"));
  EXPECT_THAT(run(make, where).out, HasSubstr("4 cases were there already"));

  const auto config = std::string(FLUIDSPLAT_CONFIGS) + "/car/reduced.toml";
  const auto trained = run({"train", config, "data.file=car.h5", "data.source=cars", "sampling.queries=32",
                            "train.batch=2", "train.steps=2", "train.threads=1", "out=run"},
                           where);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, AllOf(HasSubstr("3 training cases from"), HasSubstr("what the nearest sensor says by")));
  const auto own = metrics(folder / "run");
  EXPECT_GT(own["nearest_sensor"]["relative_l2"], 0);
  EXPECT_GT(own["mean_field"]["relative_l2"], 0);

  // The model is not told speed and yaw, which the dataset has.
  const auto info = run({"data", "info", "car-cars.h5"}, where);
  EXPECT_THAT(info.out, HasSubstr("yaw"));
  double before = 1e9;
  for (const char* count : {"15", "100"}) {
    const auto judged = run({"eval", "run", "--data", "car-cars.h5", "--count", count}, where);
    ASSERT_EQ(judged.exit_code, 0) << judged.err;
    const auto m = metrics(folder / "run" / ("eval-test-" + std::string(count) + "-sensors"));
    EXPECT_LT(m["nearest_sensor"]["relative_l2"], before) << "more sensors are nearer";
    before = m["nearest_sensor"]["relative_l2"];
  }
}

}  // namespace
}  // namespace fluidsplat::tests

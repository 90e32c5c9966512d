// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Every config that ships parses and takes a training step on data of the kind that it is meant for.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "benchmarks/airfrans_fixture.h"
#include "benchmarks/airfrans_import.h"
#include "benchmarks/car_files.h"
#include "benchmarks/car_set.h"
#include "benchmarks/cylinder_wake.h"
#include "benchmarks/ldc3d_files.h"
#include "benchmarks/ldc3d_fixture.h"
#include "field/dataset_file.h"
#include "io/csv.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;

constexpr int kCases = 4;

// Waves behind a disc, on the wake's own mesh and in its own channels.  With several frames of each of several
// Reynolds numbers, whose waves differ in length, these are a descriptor.
void write_waves(const fs::path& file, const std::vector<float>& reynolds, int frames) {
  const sim::PixelWindow window;
  std::vector<std::uint8_t> fluid;
  for (int row = 0; row < window.rows; ++row)
    for (int column = 0; column < window.columns; ++column)
      fluid.push_back(std::hypot(row - window.centre_row, column - window.centre_column) >
                      0.5 * window.pixels_per_diameter);
  const auto mesh = std::make_shared<const field::Mesh>(benchmarks::wake_mesh(window, fluid));
  auto schema = benchmarks::wake_schema(false);
  const bool is_sweep = reynolds.size() > 1;
  if (is_sweep) schema.descriptors = {{"Re", ""}};
  field::DatasetWriter writer(file, schema, "Waves");
  for (const float re : reynolds)
    for (int t = 0; t < frames; ++t) {
      field::Case c;
      c.name = fmt::format("wave-{:g}-{}", re, t);
      c.time = t;
      c.mesh = mesh;
      if (is_sweep) c.descriptors = field::Vector::Constant(1, re);
      c.fields.resize(mesh->size(), 1);
      for (Index i = 0; i < mesh->size(); ++i)
        c.fields(i, 0) =
            std::sin(0.013f * re * mesh->points(i, 0) - float(t)) * std::exp(-mesh->points(i, 1) * mesh->points(i, 1));
      writer.add(c);
    }
  writer.commit();
}

void write_wake(const fs::path& file) {
  write_waves(file, {100}, kCases);
}

// As many flows and frames as the shipped splits of the sweep have.
void write_sweep(const fs::path& file) {
  write_waves(file, {60, 80, 100, 120, 140, 160, 180, 110, 150, 70, 130, 190, 55}, 30);
}

// Balls in small cavities, through the files and the reader of the benchmark.
void write_cavities(const fs::path& file) {
  const auto folder = file.parent_path() / "cavities";
  benchmarks::Ldc3dFixture().write(folder);
  benchmarks::import_ldc3d(folder, file, {});
}

// Made-up fields around three shapes, with the channels, features, descriptors and splits of the airfoils.
void write_airfoils(const fs::path& file) {
  const auto set = file.parent_path() / "airfoils";
  benchmarks::write_made_up_folder(set, kCases);
  benchmarks::import_airfrans(set, file, {});
}

// Four coarse cars, through the files of the benchmark.
void write_cars(const fs::path& file) {
  benchmarks::CarSetOptions options;
  options.cases = kCases;
  options.flow.panel_size = 0.4;
  options.flow.rows = 500;
  const auto folder = file.parent_path() / "cars";
  benchmarks::make_car_set(folder, options, {});
  benchmarks::import_car(folder, file, {});
}

// A stand-in for each dataset that a config names.  A config for new data needs a line here.
const std::map<std::string, void (*)(const fs::path&)> kDatasets = {
    {"data/cylinder.h5", write_wake},  {"data/cylinder-quick.h5", write_wake},
    {"data/ldc3d.h5", write_cavities}, {"data/airfrans.h5", write_airfoils},
    {"data/car.h5", write_cars},       {"data/sweep.h5", write_sweep},
};

std::vector<fs::path> shipped_configs() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(FLUIDSPLAT_CONFIGS))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "forces") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The value of data.file in what `train --show` prints, from the folder that holds configs/.
std::string data_file(const std::string& shown) {
  const auto section = shown.find("[data]"), key = shown.find("\nfile = \"", section);
  if (section == std::string::npos || key == std::string::npos) return "";
  const auto begin = shown.find('"', key) + 1;
  const fs::path file = shown.substr(begin, shown.find('"', begin) - begin);
  return fs::relative(file, fs::path(FLUIDSPLAT_CONFIGS).parent_path()).string();
}

class ShippedConfig : public testing::TestWithParam<fs::path> {};

TEST_P(ShippedConfig, ParsesAndTakesATrainingStep) {
  const TemporaryFolder folder;
  const auto config = GetParam().string(), where = folder.path().string();
  const auto shown = run({"train", config, "--show"}, where);
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  const auto data = data_file(shown.out);
  ASSERT_THAT(kDatasets, Contains(Key(data))) << "tests/configs_test.cpp does not know what this dataset looks like";
  kDatasets.at(data)(folder / "tiny.h5");

  const auto trained =
      run({"train", config, "data.file=tiny.h5", "data.train_cases=2", "data.validation_cases=1", "sampling.queries=32",
           "train.batch=2", "train.steps=1", "train.validation_points=64", "train.threads=1", "out=run"},
          where);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("1 steps in"));
  const auto log = io::read_csv(folder / "run/log.csv");
  ASSERT_EQ(log.rows(), 1u);
  const auto split = nlohmann::json::parse(read_file(folder / "run/split.json"));
  std::vector<std::string> columns = {"loss", "gradient"};
  if (!split.at("validation").empty()) columns.push_back("validation");
  for (const auto& column : columns) {
    EXPECT_TRUE(std::isfinite(log.column(column)[0])) << column;
    EXPECT_GT(log.column(column)[0], 0) << column;
  }
  const auto metrics = nlohmann::json::parse(read_file(folder / "run/metrics.json"));
  EXPECT_GE(metrics.at("cases"), 1);
  EXPECT_GT(metrics.at("relative_l2"), 0);
}

INSTANTIATE_TEST_SUITE_P(Configs, ShippedConfig, testing::ValuesIn(shipped_configs()), [](const auto& info) {
  auto name = fs::relative(info.param, FLUIDSPLAT_CONFIGS).replace_extension().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace fluidsplat::tests

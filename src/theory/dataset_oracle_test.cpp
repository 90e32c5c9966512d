// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/dataset_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/split.h"

namespace fluidsplat::theory {
namespace {

constexpr int kRows = 24, kColumns = 20;

// Frames on a grid whose channel "smooth" is the same wave in each, and whose channel "mixed" is that wave in the odd
// frames and noise in the even ones.
field::MemoryDataset striped(int cases, bool on_grid = true) {
  field::Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}};
  schema.channels = {{"mixed", ""}, {"smooth", ""}};
  field::MemoryDataset dataset(schema);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.resize(kRows * kColumns, 2);
  mesh->features.resize(kRows * kColumns, 0);
  if (on_grid) mesh->grid_shape = {kRows, kColumns};
  for (Index i = 0; i < kRows * kColumns; ++i) {
    if (on_grid) mesh->grid_cell.push_back(i);
    mesh->points.row(i) << float(i % kColumns), float(i / kColumns);
  }
  Random random(4);
  for (int t = 0; t < cases; ++t) {
    field::Case c;
    c.name = "frame";
    c.time = t;
    c.mesh = mesh;
    c.fields.resize(kRows * kColumns, 2);
    for (Index i = 0; i < c.fields.rows(); ++i) {
      const double wave = 2 + std::sin(0.3 * mesh->points(i, 0)) * std::cos(0.2 * mesh->points(i, 1));
      c.fields.row(i) << float(t % 2 == 0 ? random.normal() : wave), float(wave);
    }
    dataset.add(c);
  }
  return dataset;
}

OracleRequest small_request() {
  OracleRequest request;
  request.sweep.smooth_pixels = {0};
  request.sweep.counts = {16, 32, 64};
  return request;
}

field::Split even_frames_train(int cases) {
  field::Split split;
  for (int i = 0; i < cases; ++i) (i % 2 == 0 ? split.train : split.test).push_back(i);
  return split;
}

TEST(DatasetOracle, LooksAtHeldOutFramesAlone) {
  const field::MemoryDataset dataset = striped(12);
  const TemporaryFolder folder;
  field::write_split(folder / "split.json", even_frames_train(12));
  OracleRequest request = small_request();
  const double all = oracle_sweep(dataset, request).rows[0].roughness;
  // The file, or the folder of the run beside which it lies.
  for (const std::filesystem::path& split : {folder / "split.json", folder.path()}) {
    request.split = split.string();
    const DatasetOracle held_out = oracle_sweep(dataset, request);
    EXPECT_TRUE(held_out.held_out);
    EXPECT_EQ(held_out.cases, (std::vector<int>{1, 3, 5, 7, 9, 11}));
    EXPECT_LT(held_out.rows[0].roughness, 0.3 * all);  // the rough frames train
  }
}

TEST(DatasetOracle, WithoutASplitSpreadsOverAllCases) {
  OracleRequest request = small_request();
  request.frames = 3;
  const DatasetOracle oracle = oracle_sweep(striped(9), request);
  EXPECT_FALSE(oracle.held_out);
  EXPECT_EQ(oracle.cases, (std::vector<int>{0, 4, 8}));
  EXPECT_EQ(oracle.channel, "mixed");
  EXPECT_EQ(oracle.subject("A wake"), "A wake: 3 frames of mixed, evenly spaced over all cases");
}

// The dataset's path and the bare grid's give the same numbers.
TEST(DatasetOracle, IsTheOracleOfTheChannelsPixels) {
  const field::MemoryDataset dataset = striped(2);
  OracleRequest request = small_request();
  request.channel = "smooth";
  const field::Case c = dataset.load(0);
  const Matrix frames = c.fields.col(1).cast<double>().replicate(1, 2);
  const auto expected = oracle_sweep(Grid({kRows, kColumns}), frames, request.sweep);
  const DatasetOracle oracle = oracle_sweep(dataset, request);
  EXPECT_EQ(oracle.rows[0].curve.mean, expected[0].curve.mean);
  EXPECT_EQ(oracle.rows[0].roughness, expected[0].roughness);
  EXPECT_EQ(oracle.channel, "smooth");
}

TEST(DatasetOracle, SaysWhatIsWrong) {
  const auto message_of = [](const field::Dataset& dataset, const OracleRequest& request) {
    try {
      oracle_sweep(dataset, request);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  OracleRequest request = small_request();
  EXPECT_THAT(message_of(striped(4, false), request), testing::HasSubstr("needs a dataset on a grid"));
  const TemporaryFolder folder;
  request.split = (folder / "none.json").string();
  EXPECT_THAT(message_of(striped(4), request), testing::HasSubstr("none.json"));
  field::Split all;
  all.train = {0, 1, 2, 3};
  field::write_split(folder / "split.json", all);
  request.split = folder.path().string();
  EXPECT_THAT(message_of(striped(4), request), testing::HasSubstr("every case of the dataset trains"));
  EXPECT_THAT(message_of(striped(2), request), testing::HasSubstr("outside the dataset"));
}

}  // namespace
}  // namespace fluidsplat::theory

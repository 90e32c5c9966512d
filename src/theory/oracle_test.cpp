// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/index.h"
#include "base/temporary_folder.h"
#include "field/split.h"

namespace fluidsplat::theory {
namespace {

Matrix dense_weights(const Points& points, const Points& centres, double scale) {
  Matrix weights(points.rows(), centres.rows());
  for (Index k = 0; k < centres.rows(); ++k)
    weights.col(k) = (-(points.rowwise() - centres.row(k)).rowwise().squaredNorm() / (2 * scale * scale)).array().exp();
  return weights.rowwise().sum().asDiagonal().inverse() * weights;
}

TEST(Shepard, TruncationStaysBelowItsTolerance) {
  for (int d : {1, 2, 3})
    for (double tolerance : {1e-3, 1e-10}) {
      Random random(17, d);
      const Points points = uniform_points(unit_box(d), 200, random),
                   centres = uniform_points(unit_box(d), 150, random);
      const double scale = 0.5 * mean_spacing(1, d, 150);
      const Matrix sparse = shepard_weights(points, centres, scale, tolerance),
                   dense = dense_weights(points, centres, scale);
      Vector values(150);
      for (double& v : values) v = random.uniform(-1, 1);
      const double range = values.maxCoeff() - values.minCoeff();
      EXPECT_LE((sparse * values - dense * values).cwiseAbs().maxCoeff(), tolerance * range + 1e-13);
      EXPECT_LT((sparse.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-13);
      EXPECT_GE(sparse.minCoeff(), 0);
    }
}

TEST(Shepard, FarFromEveryCentreTheNearestDecides) {
  Points centres(2, 1), points(2, 1);
  centres << 0, 1;
  points << 1e6, -3e5;
  const Matrix weights = shepard_weights(points, centres, 1e-3);
  EXPECT_EQ(weights(0, 1), 1);
  EXPECT_EQ(weights(1, 0), 1);
}

TEST(Shepard, NarrowScaleIsNearestNeighbourAndWideScaleIsTheMean) {
  Random random(2);
  const Points centres = uniform_points(unit_box(2), 50, random), points = uniform_points(unit_box(2), 20, random);
  const Matrix narrow = shepard_weights(points, centres, 1e-9);
  EXPECT_TRUE((narrow.rowwise().maxCoeff().array() == 1).all());
  EXPECT_LT((shepard_weights(points, centres, 1e4).toDense().array() - 1.0 / 50).abs().maxCoeff(), 1e-9);
}

TEST(Shepard, RefusesAScaleThatIsNotPositive) {
  EXPECT_THROW(shepard_weights(Points::Zero(1, 1), Points::Zero(1, 1), 0), Error);
}

// A wake-like frame: rough noise added to a smooth wave.
Matrix rough_frames(const Grid& grid, int count) {
  Random random(8);
  Matrix frames(grid.size(), count);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < grid.size(); ++i)
      frames(i, j) = std::sin(0.2 * grid.coordinate(i, 0) + 0.4 * double(j)) * std::cos(0.15 * grid.coordinate(i, 1)) +
                     0.4 * random.normal();
  return frames;
}

TEST(OracleSweep, SmoothingLowersRoughnessAndSteepensTheRate) {
  const Grid grid({64, 48});
  OracleSweepSettings settings;
  settings.counts = {32, 64, 128, 256, 512, 1024};
  const std::vector<OracleSweepRow> rows = oracle_sweep(grid, rough_frames(grid, 4), settings);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].name(), "raw");
  EXPECT_EQ(rows[3].name(), "8 px");
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i].roughness, rows[i - 1].roughness);
  EXPECT_LT(rows[2].curve.fit.exponent, rows[0].curve.fit.exponent - 0.2);
  EXPECT_NEAR(rows[3].curve.fit.exponent, -0.5, 0.15);
}

TEST(OracleSweep, EveryPixelACentreReproducesTheField) {
  const Grid grid({10, 10});
  OracleSweepSettings settings;
  settings.smooth_pixels = {0};
  settings.counts = {50, 99};
  const Matrix frames = rough_frames(grid, 2);
  // One pixel is missing among 100: the error is that of this pixel alone.
  const RateCurve curve = oracle_sweep(grid, frames, settings)[0].curve;
  EXPECT_LT(curve.mean[1], 0.3);
  EXPECT_LT(curve.mean[1], curve.mean[0]);
}

TEST(OracleSweep, MaskedPixelsDoNotMatter) {
  std::vector<char> valid(900, 1);
  for (std::size_t i = 300; i < 420; ++i) valid[i] = 0;
  const Grid grid({30, 30}, valid);
  Matrix frames = rough_frames(Grid({30, 30}), 2), other = frames;
  other.middleRows(300, 120).setConstant(std::nan(""));
  OracleSweepSettings settings;
  settings.counts = {16, 64, 128};
  const auto a = oracle_sweep(grid, frames, settings), b = oracle_sweep(grid, other, settings);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].curve.mean, b[i].curve.mean);
}

TEST(OracleSweep, UnitsDifferByTheirRatio) {
  const Points points = midpoint_grid(unit_box(2), 40);
  const FarthestPoints chosen = farthest_points(points, 100);
  Matrix field(points.rows(), 1);
  field.col(0) = (6 * points.col(0)).array().sin();
  const double ratio = mean_spacing(1, 2, 100) / chosen.fill_distance(100);
  const double by_fill = oracle_curve(points, field, chosen, {50, 100}, 0.5 * ratio).mean[1];
  const double by_spacing = oracle_curve(points, field, chosen, {50, 100}, 0.5, ScaleUnit::kSpacing).mean[1];
  EXPECT_NEAR(by_fill, by_spacing, 1e-12);
}

TEST(OracleSweep, HeldOutFramesAreEvenlySpaced) {
  EXPECT_EQ(evenly_spaced(10, 4), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(evenly_spaced(6, 2, {0, 5}), (std::vector<int>{1, 4}));
  EXPECT_EQ(evenly_spaced(6, 1), (std::vector<int>{0}));
  EXPECT_THROW(evenly_spaced(6, 3, {0, 1, 2, 3}), Error);
}

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
  EXPECT_THAT(message_of(striped(2), request), testing::HasSubstr("case 2 is outside"));
}

}  // namespace
}  // namespace fluidsplat::theory

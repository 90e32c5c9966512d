// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/index.h"
#include "base/temporary_folder.h"
#include "field/sensors.h"
#include "theory/capacity.h"

namespace fluidsplat::theory {
namespace {

// A travelling wave with a cusp: s = 1.5 in 2-D.
Question cusp(int pixels, int frames, double noise) {
  Question question;
  question.points = midpoint_grid(unit_box(2), pixels);
  question.fields.resize(question.points.rows(), frames);
  Random random(3);
  for (int j = 0; j < frames; ++j) {
    Eigen::RowVector2d centre(0.5 + 0.05 * std::sin(0.3 * j), 0.5 + 0.05 * std::cos(0.3 * j));
    question.fields.col(j) = (question.points.rowwise() - centre).rowwise().norm().array().sqrt() - 0.6;
    for (double& v : question.fields.col(j)) v += noise * random.normal();
  }
  question.in_time = true;
  question.sensors = 16;
  return question;
}

TEST(Advice, GivesTheCapacityOfTheSmoothnessItFinds) {
  Question question = cusp(128, 4, 0);
  question.grid = Grid({128, 128});
  question.noise = 0.05;
  const Advice advice = advise(question);
  EXPECT_NEAR(advice.smoothness.smoothness, 1.5, 0.4);
  EXPECT_EQ(advice.smoothness.method, "spectrum");
  EXPECT_DOUBLE_EQ(advice.noise, 0.05);
  EXPECT_NEAR(advice.capacity, capacity(16, 0.05 / advice.rms, advice.smoothness.smoothness, 2), 1e-9);
  EXPECT_GT(advice.pooled_capacity, advice.capacity);
  EXPECT_LE(advice.first, 16);
  EXPECT_LE(advice.first, advice.last);
  EXPECT_LT(advice.oracle.fit.exponent, -0.3);
  EXPECT_THAT(advice.findings, testing::Contains(testing::HasSubstr("Borderline")));
  EXPECT_THAT(advice.caveats, testing::Contains(testing::HasSubstr("residual decoder")));
}

TEST(Advice, FindsTheNoiseInTheReadings) {
  const Advice advice = advise(cusp(40, 60, 0.04));
  EXPECT_FALSE(advice.noise_given);
  EXPECT_NEAR(advice.noise, 0.04, 0.008);
  EXPECT_EQ(advice.smoothness.method, "rates");
  EXPECT_THAT(advice.caveats, testing::Contains(testing::HasSubstr("estimated from the data")));
}

TEST(Advice, MoreSensorsAndLessNoiseSupportMore) {
  Question question = cusp(40, 2, 0);
  question.noise = 0.1;
  const Advice few = advise(question);
  question.sensors = 160;
  EXPECT_GT(advise(question).capacity, few.capacity);
  question.sensors = 16;
  question.noise = 0.01;
  EXPECT_GT(advise(question).measured_capacity, few.measured_capacity);
}

// A layer two pixels thick at the edge: the spectrum's taper hides it, the scaffold's errors do not.
TEST(Advice, SaysWhenThinLayersSpoilTheRate) {
  Question question;
  question.grid = Grid({64, 64});
  question.points = question.grid->valid_points();
  question.fields = (0.2 * question.points.col(0).array()).sin();
  for (Index i = 0; i < question.points.rows(); ++i)
    if (question.points(i, 1) < 2) question.fields(i, 0) = 10;
  question.noise = 0.1;
  const Advice advice = advise(question);
  EXPECT_THAT(advice.findings, testing::Contains(testing::HasSubstr("slower than the smoothness suggests")));
  EXPECT_LE(advice.measured_capacity, 2048);
}

TEST(Advice, WarnsWhenThereIsNoNoise) {
  Question question = cusp(40, 2, 0);
  question.noise = 1e-8;
  const Advice advice = advise(question);
  EXPECT_THAT(advice.caveats, testing::Contains(testing::HasSubstr("free of noise")));
  // K* has no end then; what is reported is where the data's points end.
  EXPECT_TRUE(advice.measured_limited);
  EXPECT_EQ(advice.measured_capacity, 800);
  EXPECT_THAT(advice.findings, testing::Contains(testing::HasSubstr("balance only beyond K = 800")));
}

TEST(Advice, RefusesWhatItCannotAnswer) {
  Question question = cusp(40, 2, 0);
  question.sensors = 0;
  EXPECT_THROW(advise(question), Error);
  question = cusp(10, 2, 0);
  EXPECT_THROW(advise(question), Error);
  question = cusp(40, 2, 0);
  question.fields.setZero();
  EXPECT_THROW(advise(question), Error);
}

// A wave that travels over a 48 x 40 grid, with noise.
field::MemoryDataset travelling_wave(int cases, double noise) {
  field::Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}};
  schema.channels = {{"u", ""}};
  field::MemoryDataset dataset(schema);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = {48, 40};
  mesh->points.resize(48 * 40, 2);
  mesh->features.resize(48 * 40, 0);
  for (Index i = 0; i < 48 * 40; ++i) {
    mesh->grid_cell.push_back(i);
    mesh->points.row(i) << float(i % 40), float(i / 40);
  }
  Random random(2);
  for (int t = 0; t < cases; ++t) {
    field::Case c;
    c.name = "frame";
    c.time = t;
    c.mesh = mesh;
    c.fields.resize(48 * 40, 1);
    for (Index i = 0; i < c.fields.rows(); ++i)
      c.fields(i, 0) = float(std::sin(0.5 * mesh->points(i, 0) - 0.2 * t) + noise * random.normal());
    dataset.add(c);
  }
  return dataset;
}

TEST(DatasetAdvice, TakesACountOrALayoutFile) {
  const field::MemoryDataset dataset = travelling_wave(12, 0.1);
  AdviceRequest request;
  request.sensors = "5";
  const Advice by_count = advise(dataset, request);
  EXPECT_EQ(by_count.sensors, 5);
  EXPECT_EQ(by_count.frames, 12);
  EXPECT_NEAR(by_count.noise, 0.1, 0.04);

  const TemporaryFolder folder;
  const field::SensorLayout layout = field::random_layout(*dataset.mesh(0), 7, 1, {0});
  write_file(folder / "layout.json", model::to_json(layout).dump());
  request.sensors = (folder / "layout.json").string();
  EXPECT_EQ(advise(dataset, request).sensors, 7);
}

TEST(DatasetAdvice, NamesTheFileThatIsNoLayout) {
  const field::MemoryDataset dataset = travelling_wave(2, 0.1);
  const TemporaryFolder folder;
  write_file(folder / "layout.json", "{ not json");
  AdviceRequest request;
  request.sensors = (folder / "layout.json").string();
  EXPECT_THROW(advise(dataset, request), Error);
  request.sensors = "8 of them";
  EXPECT_THROW(advise(dataset, request), Error);
}

}  // namespace
}  // namespace fluidsplat::theory

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "baselines/baseline_bench.h"

// The methods that anyone tries first.
namespace fluidsplat::baselines {
namespace {

field::Matrix first_answer(const BaselineBench& b) {
  const auto index = b.split().test.front();
  const auto c = b.data.load(index);
  const field::SensorPlacement sensors(b.model->sensors(), b.data);
  return b.model->reconstruct(sensors.read(c, index), c.descriptors, c.mesh).field;
}

TEST(MeanModel, IsTheMeanOfTheTrainingCases) {
  const BaselineBench b("kind = \"mean\"\n");
  field::Matrix mean = field::Matrix::Zero(b.data.mesh(0)->size(), 2);
  for (const Index i : b.split().train) mean += b.data.load(i).fields / float(b.split().train.size());
  EXPECT_LT((first_answer(b) - mean).cwiseAbs().maxCoeff(), 1e-4);
}

// Frames of a periodic wave: the nearest case is one of the training cases, and the one with the nearest readings.
TEST(NearestCase, IsTheTrainingCaseWithTheNearestReadings) {
  const BaselineBench b("kind = \"nearest-case\"\n");
  const field::SensorPlacement sensors(b.model->sensors(), b.data);
  const auto read = [&](Index i) { return sensors.read(b.data.load(i), i).values; };
  const auto asked = read(b.split().test.front());
  Index nearest = -1;
  double least = 1e300;
  const auto& scale = b.model->description().normalization.readings.scale;
  for (const Index i : b.split().train) {
    double distance = 0;
    const auto values = read(i);
    for (Index s = 0; s < values.rows(); ++s)
      for (Index c = 0; c < values.cols(); ++c)
        if (!std::isnan(values(s, c))) distance += std::pow((values(s, c) - asked(s, c)) / scale[c], 2);
    if (distance < least) least = distance, nearest = i;
  }
  EXPECT_LT((first_answer(b) - b.data.load(nearest).fields).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(NearestCase, SensorsThatAreOthersInEveryCaseAreComparedWhereTheyAre) {
  const std::string sensors = "[sensors]\nkind = \"random-each\"\ncount = 8\n";
  const BaselineBench b("kind = \"nearest-case\"\n" + sensors, wave_on_two_meshes());
  const BaselineBench mean("kind = \"mean\"\n" + sensors, wave_on_two_meshes());
  EXPECT_LT(b.error(), 0.6 * mean.error());
}

class Interpolations : public testing::TestWithParam<const char*> {};

// Where there is a sensor, all say what it says; and sensors on every second point tell nearly all.
TEST_P(Interpolations, AgreesWithTheSensorsAndImprovesWithThem) {
  const auto with = [&](const char* count) {
    return BaselineBench(std::string("kind = \"interpolation\"\nhow = \"") + GetParam() +
                         "\"\n[sensors]\nkind = \"random\"\ncount = " + count + "\n");
  };
  const auto few = with("4"), many = with("48");
  EXPECT_LT(many.error(), 0.6 * few.error());
  const auto index = many.split().test.front();
  const auto c = many.data.load(index);
  const field::SensorPlacement sensors(many.model->sensors(), many.data);
  const auto readings = sensors.read(c, index);
  const auto field = many.model->reconstruct(readings, c.descriptors, c.mesh).field;
  const auto& placed = sensors.of(index);
  for (Index s = 0; s < readings.values.rows(); ++s)
    EXPECT_NEAR(field(placed.points[s], 0), readings.values(s, 0), 0.03) << s;
}
INSTANTIATE_TEST_SUITE_P(All, Interpolations, testing::Values("nearest", "inverse-distance", "gaussian-process"));

TEST(ClosedFormModels, ADamagedFileIsRefusedByName) {
  const BaselineBench b("kind = \"pod\"\n");
  auto bytes = read_file(b.file, 1 << 30);
  // Twice as many cases in one matrix as in the others.
  const auto at = bytes.find("\"readings\":{");
  ASSERT_NE(at, std::string::npos);
  const auto shape = bytes.find("\"shape\":[", at) + 9;
  bytes.replace(shape, 2, "6,");
  write_file(b.file, bytes);
  EXPECT_THROW(learn::open_field_model(b.file, 1), Error);
}

}  // namespace
}  // namespace fluidsplat::baselines

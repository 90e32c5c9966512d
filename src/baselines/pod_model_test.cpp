// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/pod_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "baselines/register.h"
#include "field/evaluation.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/model/open_model.h"
#include "learn/train/trainer.h"

namespace fluidsplat::baselines {
namespace {

// A travelling wave: two modes, readings on a closed curve.
struct Bench {
  explicit Bench(const std::string& map) {
    register_baselines();
    config = learn::toy_config((folder / "run").string());
    config.model = learn::parse_train_config("[model]\nkind = \"pod\"\nmap = \"" + map + "\"\n", "test", {}).model;
    learn::Trainer trainer(config, data, split(), learn::make_sensors(config.sensors, data));
    trainer.run();
    model = learn::open_field_model(trainer.folder().model(), 1);
  }
  field::Split split() const { return learn::make_split(config.data, data); }
  double error(const std::function<void(field::SensorReadings&)>& change = {}) const {
    const field::SensorPlacement sensors(model->sensors(), data);
    const auto predict = [&](field::SensorReadings readings, const field::Vector& descriptors,
                             const std::shared_ptr<const field::Mesh>& mesh) {
      if (change) change(readings);
      return model->reconstruct(readings, descriptors, mesh).field;
    };
    return field::summarize(field::evaluate(predict, sensors, data, split().test)).relative_l2;
  }

  field::MemoryDataset data = learn::toy_wake();
  TemporaryFolder folder;
  learn::TrainConfig config;
  std::unique_ptr<reconstruct::FieldModel> model;
};

class PodMaps : public testing::TestWithParam<const char*> {};

// The wave is linear in its readings, so every map must be nearly exact, after saving and loading.
TEST_P(PodMaps, ReconstructsAWaveFromTheFile) {
  const Bench b(GetParam());
  EXPECT_LT(b.error(), 2e-3);
}
INSTANTIATE_TEST_SUITE_P(All, PodMaps, testing::Values("best", "linear", "quadratic", "gaussian", "matern", "gappy"));

TEST(PodModel, TheOrderOfSensorsDoesNotMatter) {
  const Bench b("best");
  const double turned = b.error([](field::SensorReadings& r) {
    r.positions = r.positions.colwise().reverse().eval();
    r.values = r.values.colwise().reverse().eval();
    r.mean = r.mean.colwise().reverse().eval();
  });
  EXPECT_NEAR(turned, b.error(), 1e-6);
}

// Two phases need two readings: with half of the sensors dead the rest still tell.
TEST(PodModel, ADeadSensorIsLeftOutOfTheMap) {
  for (const char* map : {"best", "gappy"}) {
    const Bench b(map);
    const double one_left = b.error([](field::SensorReadings& r) {
      for (Index s = 1; s < r.values.rows(); ++s) r.values.row(s).setConstant(std::nanf(""));
    });
    EXPECT_LT(one_left, 0.05) << map;
    const double none_left = b.error([](field::SensorReadings& r) { r.values.setConstant(std::nanf("")); });
    EXPECT_GT(none_left, one_left) << map << ": without readings only the mean is left";
    EXPECT_LT(none_left, 0.1) << map << ": and that is not a bad field here";
  }
}

TEST(PodModel, DifferentMeshesAreRefused) {
  register_baselines();
  TemporaryFolder folder;
  auto data = learn::toy_wake(12);
  auto other = learn::toy_wake(12, 9, 11);
  for (Index i = 0; i < other.size(); ++i) data.add(other.load(i));
  auto config = learn::toy_config((folder / "run").string());
  config.model = learn::parse_train_config("[model]\nkind = \"pod\"\n", "test", {}).model;
  learn::Trainer trainer(config, data, learn::make_split(config.data, data), learn::make_sensors(config.sensors, data));
  EXPECT_THROW(trainer.run(), Error);
}

}  // namespace
}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Nothing general names a model: toys of two other structures go the one path of train or fit, save, load, evaluate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/evaluation.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/model/open_model.h"
#include "learn/model/registry.h"
#include "learn/model/torch_field_model.h"
#include "learn/model/toy_models.h"
#include "learn/train/trainer.h"

namespace fluidsplat::learn {
namespace {

using testing::HasSubstr;

struct Bench {
  explicit Bench(const std::string& kind) {
    register_toy_models();
    config = parse_train_config("[model]\nkind = \"" + kind + "\"\n", "test");
    const auto spec = config.model;
    config = toy_config((folder / "run").string());
    config.model = spec;
    config.schedule.steps = 300;
    config.schedule.rate = 0.05;
    config.validate_every = 100;
  }
  TrainOutcome train() {
    trainer =
        std::make_unique<Trainer>(config, data, make_split(config.data, data), make_sensors(config.sensors, data));
    return trainer->run();
  }
  // The error on the test cases, as `eval` computes it.
  double error() {
    const auto model = open_field_model(trainer->folder().model(), 1);
    const field::SensorPlacement sensors(model->sensors(), data);
    const auto predict = [&](const field::SensorReadings& readings, const field::Case& c,
                             const std::shared_ptr<const field::Mesh>& mesh) {
      return model->reconstruct(readings, c.descriptors, mesh).field;
    };
    const auto results = field::evaluate(predict, sensors, data, make_split(config.data, data).test);
    return field::summarize(results).relative_l2;
  }
  field::MemoryDataset data = toy_wake();
  TemporaryFolder folder;
  TrainConfig config;
  std::unique_ptr<Trainer> trainer;
};

TEST(AnyModel, AGridModelTrainsSavesLoadsAndEvaluates) {
  Bench b("toy-grid");
  EXPECT_EQ(b.train(), TrainOutcome::finished);
  EXPECT_LT(b.trainer->log().back().validation, 0.5 * b.trainer->log().front().validation);
  const auto loaded = load_model(b.trainer->folder().model());
  EXPECT_EQ(loaded.model->spec().kind(), "toy-grid");
  EXPECT_EQ(loaded.grid_shape, (std::vector<Index>{8, 12})) << "a grid model needs its grid back";
  EXPECT_NEAR(b.error(), b.trainer->log().back().validation, 0.5 * b.error());
}

TEST(AnyModel, AClosedFormModelIsFittedSavedLoadedAndEvaluated) {
  Bench b("toy-linear");
  EXPECT_EQ(b.train(), TrainOutcome::finished);
  ASSERT_EQ(b.trainer->log().size(), 1u) << "one fit, one row";
  // A travelling wave is linear in its readings: two of them fix phase and amplitude.
  EXPECT_LT(b.error(), 1e-3);
  EXPECT_NEAR(b.error(), b.trainer->best().error, 1e-3);
  EXPECT_THROW(b.trainer->resume(), Error);
}

TEST(AnyModel, AnUnknownKindIsAnErrorThatNamesTheNearest) {
  register_toy_models();
  try {
    parse_train_config("[model]\nkind = \"fluidsplit\"\n", "test");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("did you mean \"fluidsplat\""));
  }
  EXPECT_EQ(parse_train_config("", "test", {"model.kind=toy-grid"}).model->kind(), "toy-grid");
  EXPECT_THROW(parse_train_config("[model]\nkind = \"toy-grid\"\nprimitives = 3\n", "test"), Error)
      << "a setting of another kind";
}

}  // namespace
}  // namespace fluidsplat::learn

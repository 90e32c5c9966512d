// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Training networks whose field is added to a mean field, or to a prior on top of it.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "field/mean_field.h"
#include "field/metrics.h"
#include "learn/model/torch_field_model.h"
#include "learn/train/trainer_bench.h"
#include "reconstruct/runtime_model.h"

namespace fluidsplat::learn {
namespace {

using Bench = TrainerBench;

// One step has taught nothing yet: the model says little more than the mean of its training cases, and says it in the
// runtime as well.  Its file holds what is needed.
TEST(Trainer, CanLearnTheDeviationFromTheMean) {
  Bench b;
  b.config.schedule.steps = 1;
  b.config.subtract_mean = true;
  auto t = b.trainer();
  t->run();
  const auto split = make_split(b.config.data, b.data);
  const field::MeanField mean(b.data, split.train);
  const auto c = b.data.load(split.validation.front());
  const double mean_error = field::compare(mean.on(0, *c.mesh), c.fields).relative_l2;
  TorchFieldModel torch_model(load_model(t->folder().model()));
  reconstruct::RuntimeModel runtime(t->folder().model());
  const field::SensorPlacement sensors(torch_model.sensors(), b.data);
  const auto readings = sensors.read(c, split.validation.front());
  const auto field = torch_model.reconstruct(readings, c.descriptors, c.mesh).field;
  EXPECT_LT(field::compare(field, c.fields).relative_l2, 2 * mean_error);
  EXPECT_LT((field - runtime.reconstruct(readings, c.descriptors, c.mesh).field).cwiseAbs().maxCoeff(), 1e-3);
  // Channels are scaled by how much they deviate: the pressure around 100 by its wave of 5.
  EXPECT_NEAR(torch_model.description().normalization.channels.scale[1], 5 / std::sqrt(2.0), 0.5);
  EXPECT_NEAR(torch_model.description().normalization.channels.mean[1], 0, 1e-3);
}

// A network that has learnt nothing takes no share: what is kept is the prior, in libtorch and in the runtime, with all
// sensors and with a silent one.
TEST(Trainer, CanStandOnAPrior) {
  Bench b;
  b.config.subtract_mean = true;
  b.config.prior.kind = PriorKind::kPodKernel;
  b.config.schedule.steps = 20;
  auto t = b.trainer();
  t->run();
  const auto split = make_split(b.config.data, b.data);
  TorchFieldModel torch_model(load_model(t->folder().model()));
  reconstruct::RuntimeModel runtime(t->folder().model());
  const auto& trained = torch_model.trained();
  ASSERT_TRUE(trained.prior.pod);
  EXPECT_EQ(trained.prior.network_scale, t->best().network_scale);
  EXPECT_LE(trained.prior.network_scale, t->trained().prior.network_scale);
  const field::SensorPlacement sensors(torch_model.sensors(), b.data);
  double alone = 0, together = 0;
  for (const Index index : split.validation) {
    const auto c = b.data.load(index);
    auto readings = sensors.read(c, index);
    std::vector<Index> all(c.mesh->size());
    std::iota(all.begin(), all.end(), 0);
    alone += field::compare(torch_model.ground_at(readings, c.mesh, all), c.fields).relative_l2;
    for (const bool silent : {false, true}) {
      if (silent) readings.values.row(0).setConstant(std::nanf(""));
      const auto field = torch_model.reconstruct(readings, c.descriptors, c.mesh).field;
      if (!silent) together += field::compare(field, c.fields).relative_l2;
      EXPECT_LT((field - runtime.reconstruct(readings, c.descriptors, c.mesh).field).cwiseAbs().maxCoeff(), 1e-3);
    }
  }
  EXPECT_LE(together, 1.05 * alone);
  EXPECT_NEAR(t->best().error, together / double(split.validation.size()), 1e-4);
}

TEST(Trainer, TheDeviationFromTheMeanNeedsOneMesh) {
  Bench b;
  auto c = b.data.load(0);
  c.mesh = std::make_shared<field::Mesh>(*c.mesh);
  b.data.add(c);
  b.config.subtract_mean = true;
  b.config.data.train_cases = 25;
  b.config.data.validation_cases = 0;
  EXPECT_THROW(b.trainer(), Error);
}

// The prior is fitted anew when a run goes on, to the same cases, so it is the same.
TEST(Trainer, ResumesOnAPriorBitForBit) {
  Bench whole, parts;
  for (auto* b : {&whole, &parts}) {
    b->config.subtract_mean = true;
    b->config.prior.kind = PriorKind::kPodKernel;
    b->config.schedule.steps = 20;
  }
  auto t = whole.trainer();
  t->run();
  auto first = parts.trainer();
  TrainCallbacks callbacks;
  callbacks.should_stop = [&] { return first->counters().step == 13; };
  EXPECT_EQ(first->run(callbacks), TrainOutcome::interrupted);
  auto second = parts.trainer();
  second->resume();
  EXPECT_EQ(second->run(), TrainOutcome::finished);
  EXPECT_TRUE(same(*t->trained().model, *second->trained().model));
  EXPECT_EQ(t->best().error, second->best().error);
  EXPECT_EQ(t->best().network_scale, second->best().network_scale);
}

// A model that has learnt nothing, with many sensors: these know more than it does.
TEST(Trainer, CanCorrectAModelAtItsSensors) {
  Bench b;
  b.config.schedule.steps = 1;
  b.config.sensors.count = 30;
  const auto error_after_training = [&] {
    auto t = b.trainer();
    std::string said;
    TrainCallbacks callbacks;
    callbacks.on_event = [&](const std::string& what) { said += what; };
    t->run(callbacks);
    reconstruct::RuntimeModel model(t->folder().model());
    const field::SensorPlacement sensors(model.sensors(), b.data);
    const auto split = make_split(b.config.data, b.data);
    double sum = 0;
    for (const Index index : split.test) {
      const auto c = b.data.load(index);
      sum +=
          field::compare(model.reconstruct(sensors.read(c, index), c.descriptors, c.mesh).field, c.fields).relative_l2;
    }
    return std::pair(sum / double(split.test.size()), said);
  };
  const auto [without, nothing] = error_after_training();
  b.config.correction = CorrectionKind::kKriging;
  const auto [with, said] = error_after_training();
  EXPECT_EQ(nothing, "");
  EXPECT_NE(said.find("corrected at the sensors"), std::string::npos) << said;
  EXPECT_LT(with, 0.5 * without);
}

// Whatever a finished run was corrected by, going on begins with what it has learnt.
TEST(Trainer, ACorrectionMayBeAddedAndTakenBackLater) {
  Bench b;
  b.config.schedule.steps = 3;
  b.config.sensors.count = 30;
  const auto go_on = [&](CorrectionKind kind, bool first = false) {
    b.config.correction = kind;
    auto t = b.trainer();
    if (!first) t->resume();
    t->run();
    return reconstruct::RuntimeModel(t->folder().model()).correction();
  };
  EXPECT_FALSE(go_on(CorrectionKind::kNone, true).is_on());
  const auto added = go_on(CorrectionKind::kKriging);
  EXPECT_TRUE(added.is_on());
  EXPECT_EQ(go_on(CorrectionKind::kKriging), added);
  EXPECT_FALSE(go_on(CorrectionKind::kNone).is_on());
}

}  // namespace
}  // namespace fluidsplat::learn

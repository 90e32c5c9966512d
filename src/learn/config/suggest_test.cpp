// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/suggest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "field/sensor_placement.h"
#include "learn/config/measure_step.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"

namespace fluidsplat::learn {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

// Cases on clouds of points of their own, in 3-D; of every `wall_step` points one is of the wall.
field::MemoryDataset clouds(int cases, bool with_wall, int wall_step = 2) {
  field::Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}};
  schema.channels = {{"p", ""}};
  field::MemoryDataset data(schema, "clouds");
  for (int k = 0; k < cases; ++k) {
    Random random(7, k);
    auto mesh = std::make_shared<field::Mesh>();
    mesh->points.resize(200 + k, 3);
    mesh->features.resize(200 + k, 0);
    field::Case c;
    c.fields.resize(200 + k, 1);
    for (int i = 0; i < 200 + k; ++i) {
      for (int a = 0; a < 3; ++a) mesh->points(i, a) = float(random.uniform());
      c.fields(i, 0) = std::sin(6 * mesh->points(i, 0) + float(k));
      if (with_wall && i % wall_step == 0) mesh->surface.push_back(i);
    }
    c.mesh = mesh;
    data.add(c);
  }
  return data;
}

// Frames of `flows` flows that a descriptor tells apart.
field::MemoryDataset sweep(int flows, int frames) {
  const auto wake = toy_wake(flows * frames);
  field::Schema schema = wake.schema();
  schema.descriptors = {{"angle", ""}, {"Re", ""}};
  field::MemoryDataset data(schema, "sweep");
  for (Index k = 0; k < wake.size(); ++k) {
    auto c = wake.load(k);
    c.descriptors.resize(2);
    c.descriptors << 3, float(100 + 10 * (k % flows));
    data.add(c);
  }
  return data;
}

TEST(Suggest, WhatItWritesReadsBackAndTrains) {
  struct Trial {
    const char* name;
    field::MemoryDataset data;
  };
  std::vector<Trial> trials;
  trials.push_back({"grid", toy_wake(40)});
  trials.push_back({"four cases", toy_wake(4)});
  trials.push_back({"sweep", sweep(8, 4)});
  trials.push_back({"clouds", clouds(5, false)});
  trials.push_back({"clouds with a wall", clouds(4, true)});
  for (const auto& trial : trials) {
    SCOPED_TRACE(trial.name);
    SuggestRequest request;
    request.data_file = "some.h5";
    auto suggestion = suggest(trial.data, request);
    fit_budget(suggestion, {0.1, 1});
    TrainConfig read;
    Config keys;
    read.bind(keys);
    const auto text = to_toml(suggestion);
    keys.read_text(text, "suggested");
    read.check();
    TrainConfig expected = suggestion.config;
    Config expected_keys;
    expected.bind(expected_keys);
    EXPECT_EQ(keys.to_toml(), expected_keys.to_toml()) << "a setting that matters is not in the file";
    const auto split = make_split(read.data, trial.data);
    EXPECT_GE(split.train.size(), 2u);
    EXPECT_GE(split.validation.size(), 1u);
    EXPECT_GE(split.test.size(), 1u);
    read.threads = 1;
    const auto cost = measure_step(read, trial.data, split, make_sensors(read.sensors, trial.data));
    EXPECT_GT(cost.step_seconds, 0);
    EXPECT_GT(cost.validation_seconds, 0);
  }
}

TEST(Suggest, ChoicesFollowTheData) {
  const auto wake = suggest(toy_wake(40), {});
  EXPECT_EQ(wake.config.sampling.kind, SamplingKind::kRms);
  EXPECT_EQ(wake.config.sensors.kind, SensorKind::kWall);
  EXPECT_EQ(wake.config.data.train_cases, 28);
  EXPECT_EQ(wake.config.batch, 16);
  EXPECT_FALSE(wake.config.model.fluidsplat().geometry);
  EXPECT_TRUE(wake.config.subtract_mean);
  EXPECT_EQ(wake.config.prior.kind, PriorKind::kPodKernel);
  EXPECT_EQ(wake.config.correction, CorrectionKind::kNone);
  EXPECT_TRUE(wake.config.model.fluidsplat().linear_encoder());
  EXPECT_EQ(wake.config.optimizer.kind, OptimizerKind::kSoap);
  EXPECT_EQ(wake.config.sensor_dropout, 0) << "a prior stands dead sensors by itself";
  const auto few = suggest(toy_wake(4), {});
  EXPECT_EQ(few.config.data.train_cases, 2);
  EXPECT_EQ(few.config.batch, 2);
  EXPECT_EQ(few.config.prior.kind, PriorKind::kNone) << "two cases have too little to say of a third";
  EXPECT_LT(few.config.model.fluidsplat().width, wake.config.model.fluidsplat().width);
  const auto shapes = suggest(clouds(5, true), {});
  EXPECT_EQ(shapes.config.sampling.kind, SamplingKind::kUniform);
  EXPECT_EQ(shapes.config.sensors.kind, SensorKind::kRandomWall);
  EXPECT_TRUE(shapes.config.model.fluidsplat().geometry);
  EXPECT_GT(shapes.config.optimizer.weight_decay, 0.1) << "few shapes";
  EXPECT_LT(suggest(clouds(150, false), {}).config.optimizer.weight_decay, 0.01) << "many shapes";
  const auto surfaces = suggest(clouds(5, true, 1), {});
  EXPECT_FALSE(surfaces.config.model.fluidsplat().geometry) << "all points are of the wall";
  EXPECT_THAT(to_toml(surfaces), HasSubstr("--shape"));
  EXPECT_NO_THROW(parse_train_config(to_toml(surfaces), "suggested"));
  EXPECT_THAT(to_toml(shapes), Not(HasSubstr("--shape")));
  EXPECT_LT(wake.config.optimizer.weight_decay, 0.01);
  EXPECT_EQ(shapes.config.prior.kind, PriorKind::kNone);
  EXPECT_EQ(shapes.config.correction, CorrectionKind::kKriging);
  EXPECT_EQ(shapes.config.sensor_dropout, 0) << "sensors that are drawn anew";
  EXPECT_FALSE(shapes.config.subtract_mean) << "there is no mean at each point of meshes that differ";
  EXPECT_THROW(suggest(toy_wake(2), {}), Error);
}

TEST(Suggest, OfFlowsThatAreSweptWholeOnesJudge) {
  const auto data = sweep(10, 6);
  const auto s = suggest(data, {});
  EXPECT_EQ(s.config.data.held_out, "Re in 120,170");
  EXPECT_EQ(s.config.prior.kind, PriorKind::kNone);
  EXPECT_GT(s.config.sensor_dropout, 0);
  const auto split = make_split(s.config.data, data);
  EXPECT_EQ(split.test.size(), 12u);
  EXPECT_EQ(split.validation.size(), 12u);
  // Few flows say nothing of others, and one case of each flow is no frame of a series.
  EXPECT_EQ(suggest(sweep(5, 6), {}).config.data.held_out, "");
  EXPECT_EQ(suggest(sweep(5, 6), {}).config.prior.kind, PriorKind::kPodKernel);
  EXPECT_EQ(suggest(sweep(20, 2), {}).config.data.held_out, "");
}

// Clouds at several speeds and of several strengths beyond that.
TEST(Suggest, SpeedsAreTakenOutAndWeakFlowsCountAsMuch) {
  const auto flows = [](double fastest, float strongest, const std::string& unit, bool keep = false) {
    const auto alike = clouds(6, false);
    auto schema = alike.schema();
    schema.channels = {{"u", unit}};
    field::MemoryDataset data(schema, "flows");
    for (Index k = 0; k < alike.size(); ++k) {
      auto c = alike.load(k);
      c.reference.speed = k % 2 ? fastest : 1;
      c.fields *= float(c.reference.speed) * (k % 3 ? strongest : 1);
      data.add(c);
    }
    return suggest(data, {.data_file = "", .keep_units = keep}).config;
  };
  EXPECT_EQ(flows(5, 1, "m/s", true).data.units, DataUnits::kGiven);
  const auto speeds = flows(5, 1, "m/s");
  EXPECT_EQ(speeds.data.units, DataUnits::kFreeStream);
  EXPECT_EQ(speeds.loss, LossKind::kAbsolute) << "in units of their speeds they are as strong";
  EXPECT_EQ(flows(5, 1, "K").data.units, DataUnits::kGiven) << "nothing tells how these grow with the speed";
  EXPECT_EQ(flows(5, 1, "K").loss, LossKind::kRelative);
  EXPECT_EQ(flows(1, 1, "m/s").data.units, DataUnits::kGiven);
  EXPECT_EQ(flows(1, 2, "m/s").loss, LossKind::kRelative);
}

// Velocity is zero on the wall, so sensors there observe the pressure; where there is none, what varies along the wall.
TEST(Suggest, SensorsOnTheWallObserveWhatCanBeMeasuredThere) {
  const auto flow = [](std::vector<field::Column> channels) {
    const auto wake = toy_wake(8);
    field::Schema schema = wake.schema();
    schema.channels = std::move(channels);
    field::MemoryDataset data(schema, "flow");
    for (Index k = 0; k < wake.size(); ++k) {
      auto c = wake.load(k);
      for (const Index i : c.mesh->surface) c.fields(i, 0) = 0;
      data.add(c);
    }
    return data;
  };
  const auto observed = [](const field::Dataset& data, std::vector<std::string> channels, bool asked_for_wall) {
    SuggestRequest request;
    request.channels = std::move(channels);
    if (asked_for_wall) {
      request.sensors.emplace();
      request.sensors->kind = SensorKind::kWall;
      request.sensors->count = 3;
    }
    const auto s = suggest(data, request);
    EXPECT_EQ(s.config.sensors.kind, SensorKind::kWall);
    return s.config.sensors.channels;
  };
  for (const bool asked : {false, true}) {
    EXPECT_THAT(observed(flow({{"u", "m/s"}, {"p", "Pa"}}), {}, asked), ElementsAre("p"));
    EXPECT_THAT(observed(flow({{"u", "m/s"}, {"T", "K"}}), {}, asked), ElementsAre("T"));
    EXPECT_THAT(observed(flow({{"u", "m/s"}, {"rho", "kg/m3"}}), {"rho"}, asked), ElementsAre("rho"));
    EXPECT_THAT(observed(flow({{"u", "m/s"}, {"p", "Pa"}}), {"u", "p"}, asked), ElementsAre("u", "p"));
  }
  EXPECT_THAT(to_toml(suggest(flow({{"u", "m/s"}, {"p", "Pa"}}), {})), HasSubstr("channels = [\"p\"]"));

  // Density is computed, not measured: there the sensors go into the flow, or it is asked what they measure.
  const auto gas = flow({{"u", "m/s"}, {"rho", "kg/m3"}});
  EXPECT_EQ(suggest(gas, {}).config.sensors.kind, SensorKind::kRandom);
  SuggestRequest on_wall;
  on_wall.sensors.emplace();
  on_wall.sensors->kind = SensorKind::kWall;
  on_wall.sensors->count = 3;
  EXPECT_THAT([&] { suggest(gas, on_wall); }, ThrowsMessage<Error>(HasSubstr("--channels")));
}

TEST(Suggest, TheBudgetIsKept) {
  const auto data = toy_wake(40);
  for (double minutes : {1.0, 10.0, 60.0}) {
    SuggestRequest request;
    request.minutes = minutes;
    for (const StepCost cost : {StepCost{0.05, 0.5}, StepCost{0.5, 20}}) {
      auto s = suggest(data, request);
      fit_budget(s, cost);
      const auto steps = double(s.config.schedule.steps);
      const double validations = steps / double(s.config.validate_every);
      const double seconds = steps * cost.step_seconds + validations * cost.validation_seconds;
      EXPECT_LE(seconds, std::max(60 * minutes, 50 * cost.step_seconds + 3 * cost.validation_seconds));
      if (s.config.schedule.steps > 100 && s.config.schedule.steps < 30000) {
        EXPECT_GE(seconds, 0.7 * 60 * minutes);
      }
    }
  }
}

// Sensors that are drawn anew on every mesh have no mean reading of their own.
TEST(SensorPlacement, LayoutsAreResolvedOnEveryMesh) {
  const auto data = clouds(3, true);
  SensorConfig config;
  config.kind = SensorKind::kRandomWall;
  config.count = 5;
  field::SensorPlacement sensors(make_sensors(config, data), data);
  field::Scaling fallback{{0}, {1}};
  const auto scaling = sensors.learn_means(data, {0, 1, 2}, fallback);
  EXPECT_EQ(sensors.layout().mean_readings.size(), 0);
  EXPECT_GT(scaling.scale[0], 0.1f);
  for (Index m = 0; m < 3; ++m) {
    const auto readings = sensors.read(data.load(m), m);
    EXPECT_EQ(readings.mean.size(), 0);
    for (Index i = 0; i < 5; ++i)
      EXPECT_EQ(readings.positions.row(i), data.mesh(m)->points.row(sensors.of(m).points[i]));
  }
  SensorConfig wall;
  wall.kind = SensorKind::kWall;
  wall.count = 2;
  const auto fixed = make_sensors(wall, toy_wake(4));
  EXPECT_TRUE(fixed.arclengths.empty()) << "one mesh: the places are known once and for all";
  EXPECT_EQ(fixed.size(), 2);
  config.kind = SensorKind::kPositions;
  config.positions = {{0.5, 0.5, 9}};
  try {
    field::SensorPlacement(make_sensors(config, data), data);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("clouds, mesh 0"), HasSubstr("outside the domain")));
  }
}

}  // namespace
}  // namespace fluidsplat::learn

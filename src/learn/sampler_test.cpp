// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "learn/batch.h"
#include "learn/loss.h"
#include "learn/setup.h"
#include "learn/toy_wake.h"

namespace fluidsplat::learn {
namespace {

TEST(PointSampler, DrawsInProportionAndWeighsBack) {
  const std::vector<double> p = {1, 6, 3, 10, 0.5};  // two of them more than a fifth
  const PointSampler sampler(5, p);
  Random random(1);
  std::vector<double> counts(5), weighted(5);
  constexpr int kN = 200000;
  for (int i = 0; i < kN; ++i) {
    const std::size_t k = sampler.draw(random);
    ++counts[k];
    weighted[k] += sampler.weight(k);
  }
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(counts[k] / kN, p[k] / 20.5, 0.005) << k;
    EXPECT_NEAR(weighted[k] / kN, 0.2, 0.01) << "the weighted draws must be uniform again, point " << k;
  }
}

TEST(PointSampler, NearSurfaceShareIsWhatWasAsked) {
  const auto data = toy_wake();
  const auto mesh = data.mesh(0);
  const auto density = near_surface_density(*mesh, 1.5, 0.6);
  double near = 0, all = 0;
  for (Index i = 0; i < mesh->points.rows(); ++i) {
    const auto d = density[i];
    all += d;
    if (mesh->points(i, 0) <= 3.5f && mesh->points(i, 1) <= 1.5f) near += d;
  }
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_GT(near, 0.55);
}

// A model that always gives the same answer.
struct Says : Model {
  explicit Says(torch::Tensor answer) : answer(std::move(answer)) {}
  torch::Tensor reconstruct(const Observation&, const Queries&) override { return answer; }
  torch::Tensor answer;
};

// The loss over weighted draws must estimate the plain mean square over all points.
TEST(Batch, WeightedLossIsUnbiased) {
  const auto data = toy_wake();
  auto config = toy_config("unused");
  config.sampling.kind = "rms";
  config.sampling.queries = 4000;
  config.lambda_obs = 0;
  const std::vector<Index> train = {0, 1, 2, 3};
  const auto normalizer = field::fit_normalizer(data, train);
  const field::SensorPlan sensors(make_sensors(config.sensors, data), data);
  BatchMaker maker(config, data, train, normalizer, sensors, torch::kCPU);
  double estimate = 0;
  for (int s = 0; s < 10; ++s) {
    const auto batch = maker.make(s, 0);
    const auto zero = torch::zeros({4, batch.queries.positions.size(1), 2});
    Says model(zero);
    estimate += compute_loss(model, batch, 0, 0).total.item<double>() / 10;
  }
  double exact = 0;
  for (auto i : train) {
    field::Matrix f = data.load(i).fields;
    normalizer.channels.normalize(f);
    exact += f.cast<double>().squaredNorm() / double(f.size()) / 4;
  }
  EXPECT_NEAR(estimate, exact, 0.02 * exact);
}

TEST(Batch, IsAFunctionOfStepAndAttempt) {
  const auto data = toy_wake();
  const auto config = toy_config("unused");
  const std::vector<Index> train = {0, 1, 2, 3, 4, 5, 6};
  const auto normalizer = field::fit_normalizer(data, train);
  const field::SensorPlan sensors(make_sensors(config.sensors, data), data);
  BatchMaker a(config, data, train, normalizer, sensors, torch::kCPU),
      b(config, data, train, normalizer, sensors, torch::kCPU);
  a.make(0, 0);
  EXPECT_TRUE(torch::equal(a.make(5, 0).targets, b.make(5, 0).targets));
  EXPECT_FALSE(torch::equal(a.make(5, 0).targets, a.make(6, 0).targets));
  EXPECT_FALSE(torch::equal(a.make(5, 0).targets, a.make(5, 1).targets));
}

TEST(Batch, EveryCaseIsSeenEquallyOften) {
  const auto data = toy_wake();
  auto config = toy_config("unused");
  config.batch = 3;
  const std::vector<Index> train = {0, 5, 7, 9, 11, 13, 15};
  const auto normalizer = field::fit_normalizer(data, train);
  const field::SensorPlan sensors(make_sensors(config.sensors, data), data);
  BatchMaker maker(config, data, train, normalizer, sensors, torch::kCPU);
  std::map<float, int> seen;  // a case is known by its first sensor reading
  for (int s = 0; s < 14; ++s) {
    const auto values = maker.make(s, 0).observation.values;
    for (int i = 0; i < 3; ++i) ++seen[values[i][0].item<float>()];
  }
  ASSERT_EQ(seen.size(), train.size());
  for (const auto& [key, count] : seen) EXPECT_EQ(count, 6);
}

TEST(Batch, ReadingsEnterAsDifferencesInUnitsOfTheirSpread) {
  field::Normalizer normalizer;
  normalizer.domain = {{0, 0}, {4, 2}};
  normalizer.readings = {{10}, {2}};
  field::SensorReadings readings;
  readings.positions.resize(2, 2);
  readings.positions << 1, 1, 4, 0;
  readings.values.resize(2, 1);
  readings.values << 5, 30;
  readings.usual.resize(2, 1);
  readings.usual << 1, 33;
  const auto o = make_observation({readings}, {{}}, normalizer, torch::kCPU);
  EXPECT_EQ(o.values[0][0].item<float>(), 2);
  EXPECT_EQ(o.values[0][1].item<float>(), -1.5f);
  EXPECT_EQ(o.positions[0][0][0].item<float>(), 0.25f);
  readings.usual.resize(0, 0);
  EXPECT_EQ(make_observation({readings}, {{}}, normalizer, torch::kCPU).values[0][1].item<float>(), 10)
      << "a sensor whose usual reading is not known is compared with all";
}

// How many sensors each case of some batches keeps.
std::vector<int> sensors_kept(const std::function<void(TrainConfig&)>& change) {
  const auto data = toy_wake();
  auto config = toy_config("unused");
  config.sensors.channels = {"p"};
  change(config);
  const std::vector<Index> train = {0, 1, 2, 3};
  const field::SensorPlan sensors(make_sensors(config.sensors, data), data);
  const auto normalizer = field::fit_normalizer(data, train);
  BatchMaker maker(config, data, train, normalizer, sensors, torch::kCPU);
  std::vector<int> out;
  for (int step = 0; step < 30; ++step) {
    const auto present = maker.make(step, 0).obs_present;
    for (Index b = 0; b < present.size(0); ++b) out.push_back(present[b].sum().item<int>());
  }
  return out;
}

TEST(Batch, SensorsAreLeftOutAsAskedButNeverAll) {
  const auto few = sensors_kept([](auto& c) { c.sensors_min = 1, c.sensors_max = 2; });
  EXPECT_EQ(std::set<int>(few.begin(), few.end()), (std::set<int>{1, 2}));
  const auto dropped = sensors_kept([](auto& c) { c.sensor_dropout = 0.95; });
  EXPECT_EQ(*std::min_element(dropped.begin(), dropped.end()), 1);
}

TEST(Loss, ObservationTermComparesEachReadingWithItsOwnChannelAndPlace) {
  const auto data = toy_wake();
  auto config = toy_config("unused");
  config.sensors.channels = {"p"};
  const std::vector<Index> train = {0, 1};
  const auto normalizer = field::fit_normalizer(data, train);
  const field::SensorPlan sensors(make_sensors(config.sensors, data), data);
  BatchMaker maker(config, data, train, normalizer, sensors, torch::kCPU);
  const auto batch = maker.make(0, 0);
  // A prediction that equals the truth at the sensors in channel p, and is absurd elsewhere.
  auto prediction = torch::full({config.batch, batch.queries.positions.size(1), 2}, 7.0f);
  for (Index b = 0; b < config.batch; ++b)
    for (Index i = 0; i < batch.sensor_queries; ++i) prediction[b][batch.field_queries + i][1] = batch.obs_value[b][i];
  Says model(prediction);
  EXPECT_NEAR(compute_loss(model, batch, 0.5, 0).observation.item<double>(), 0, 1e-10);
  prediction[0][batch.field_queries][1] += 1;
  EXPECT_NEAR(compute_loss(model, batch, 0.5, 0).observation.item<double>(),
              1.0 / double(config.batch * batch.sensor_queries), 1e-6);
}

TEST(Loss, SurfaceTermIsTheMeanSquareOverTheWall) {
  Batch batch;
  batch.field_queries = 2;
  batch.surface_queries = 3;
  batch.targets = torch::zeros({1, 2, 2});
  batch.weights = torch::ones({1, 2});
  batch.surface_targets = torch::arange(1, 7, torch::kFloat32).view({1, 3, 2});
  Says model(torch::cat({batch.targets, batch.surface_targets}, 1));
  EXPECT_EQ(compute_loss(model, batch, 0, 0.1).total.item<double>(), 0);
  model.answer[0][3][1] += 2;
  const auto loss = compute_loss(model, batch, 0, 0.1);
  EXPECT_NEAR(loss.surface.item<double>(), 4.0 / 6, 1e-6);
  EXPECT_NEAR(loss.total.item<double>(), 0.1 * 4 / 6, 1e-6);
}

TEST(Loss, TotalIsTheWeightedSumOfItsPartsAndAbsentReadingsCountNothing) {
  const auto data = toy_wake();
  auto config = toy_config("unused");
  config.sensor_dropout = 0.5;
  config.sensor_noise = 0.1;
  const std::vector<Index> train = {0, 1, 2, 3};
  const auto normalizer = field::fit_normalizer(data, train);
  const field::SensorPlan sensors(make_sensors(config.sensors, data), data);
  BatchMaker maker(config, data, train, normalizer, sensors, torch::kCPU);
  const auto batch = maker.make(0, 0);
  ASSERT_LT(batch.obs_present.sum().item<double>(), double(batch.obs_present.numel()));
  torch::manual_seed(1);
  Says model(torch::randn({config.batch, batch.queries.positions.size(1), 2}));
  const auto loss = compute_loss(model, batch, 0.3, 0);

  // The definition, term by term.
  const auto q = batch.field_queries;
  const auto data_term =
      ((model.answer.slice(1, 0, q) - batch.targets).square().mean(-1) * batch.weights).mean().item<double>();
  double square = 0, count = 0;
  for (Index b = 0; b < config.batch; ++b)
    for (Index t = 0; t < batch.obs_present.size(1); ++t) {
      if (batch.obs_present[b][t].item<float>() == 0) continue;
      const auto said = model.answer[b][q + batch.obs_query[b][t].item<Index>()][batch.obs_channel[b][t].item<Index>()];
      square += std::pow((said - batch.obs_value[b][t]).item<double>(), 2);
      ++count;
    }
  EXPECT_NEAR(loss.data.item<double>(), data_term, 1e-5 * data_term);
  EXPECT_NEAR(loss.observation.item<double>(), square / count, 1e-5 * square / count);
  EXPECT_NEAR(loss.total.item<double>(), data_term + 0.3 * square / count, 1e-5);
}

TEST(Setup, SensorErrorsNameTheKeyAndTheRemedy) {
  const auto data = toy_wake();
  SensorConfig c;
  c.kind = "cells";
  c.cells = {{0, 100}};
  EXPECT_THROW(make_sensors(c, data), Error);
  c.cells = {{0.5, 1}};
  EXPECT_THROW(make_sensors(c, data), Error);
  c.cells = {{1}};
  EXPECT_THROW(make_sensors(c, data), Error);
  c = {};
  c.channels = {"q"};
  EXPECT_THROW(make_sensors(c, data), Error);
  c = {};
  c.kind = "positions";
  c.positions = {{400, 2}};
  EXPECT_THROW(field::SensorPlan(make_sensors(c, data), data), Error) << "a sensor far outside the domain";
  c.positions = {{1, 2, 3}};
  EXPECT_THROW(make_sensors(c, data), Error);
}

}  // namespace
}  // namespace fluidsplat::learn

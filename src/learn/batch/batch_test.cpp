// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "field/mean_field.h"
#include "learn/batch/make_observation.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/train/loss.h"

namespace fluidsplat::learn {
namespace {

// A model that answers what it was told to, whatever it is asked.
struct Says : Model {
  explicit Says(torch::Tensor a) : answer(std::move(a)) {}
  const model::Spec& spec() const override { return spec_; }
  torch::Tensor reconstruct(const Observation&, const Queries&) override { return answer; }
  torch::Tensor answer;
  model::FluidSplatSpec spec_;
};

// The toy wake with everything that a batch is made from.
struct Bench {
  explicit Bench(const std::function<void(TrainConfig&)>& change = {}, std::vector<Index> cases = {0, 1, 2, 3})
      : train(std::move(cases)) {
    if (change) change(config);
    sensors.emplace(make_sensors(config.sensors, data), data);
    normalization = field::fit_normalization(data, train);
    maker.emplace(config, data, train, normalization, *sensors, false, torch::kCPU);
  }
  field::MemoryDataset data = toy_wake();
  TrainConfig config = toy_config("unused");
  std::vector<Index> train;
  std::optional<field::SensorPlacement> sensors;
  model::Normalization normalization;
  std::optional<BatchMaker> maker;
};

TEST(Batch, WeightedLossIsUnbiased) {
  Bench b([](auto& c) {
    c.sampling.kind = SamplingKind::kRms;
    c.sampling.queries = 4000;
    c.lambda_obs = 0;
  });
  double estimate = 0;
  for (int s = 0; s < 10; ++s) {
    const auto batch = b.maker->make(s, 0);
    Says model(torch::zeros({4, batch.queries.positions.size(1), 2}));
    estimate += compute_loss(model, batch).total.item<double>() / 10;
  }
  double exact = 0;
  for (auto i : b.train) {
    field::Matrix f = b.data.load(i).fields;
    b.normalization.channels.normalize(f);
    exact += f.cast<double>().squaredNorm() / double(f.size()) / 4;
  }
  EXPECT_NEAR(estimate, exact, 0.02 * exact);
}

// With relative errors a case that is ten times as strong weighs a hundredth, whatever its queries are about.
TEST(Batch, RelativeLossWeighsCasesByTheirStrength) {
  Bench b([](auto& c) { c.lambda_surface = 1; });
  field::MemoryDataset data(b.data.schema());
  for (const auto i : b.train) {
    auto c = b.data.load(0);
    c.fields *= i == 0 ? 10.0f : 1.0f;
    data.add(c);
  }
  auto relative = b.config;
  relative.loss = LossKind::kRelative;
  BatchMaker plain(b.config, data, b.train, b.normalization, *b.sensors, false, torch::kCPU),
      weighed(relative, data, b.train, b.normalization, *b.sensors, false, torch::kCPU);
  const auto before = plain.make(0, 0), after = weighed.make(0, 0);
  const auto ratio = (after.weights / before.weights).nan_to_num(0).amax({1, 2});
  const auto strong = ratio.min().item<double>(), weak = ratio.max().item<double>();
  EXPECT_NEAR(weak / strong, 100, 1e-2);
  EXPECT_NEAR(ratio.sum().item<double>(), 4, 1e-3) << "all four are in the batch";
}

// Targets of field, sensors and wall are all deviations, and a sensor's is the one of its own noisy reading.
TEST(Batch, WithABaseFieldEveryTargetIsTheDeviationFromIt) {
  const auto change = [](TrainConfig& c) {
    c.sensor_noise = 0.1;
    c.lambda_surface = 1;
  };
  Bench b(change);
  const auto base = field::mean_at_places(b.data, b.train);
  BatchMaker with(b.config, b.data, b.train, b.normalization, *b.sensors, false, torch::kCPU, base);
  const auto plain = b.maker->make(3, 0), deviation = with.make(3, 0);
  ASSERT_TRUE(torch::equal(plain.queries.points, deviation.queries.points));
  for (Index k = 0; k < plain.targets.size(0); ++k)
    for (Index i = 0; i < plain.targets.size(1); ++i)
      for (Index c = 0; c < 2; ++c) {
        const double difference = (plain.targets[k][i][c] - deviation.targets[k][i][c]).item<double>();
        const auto point = plain.queries.points[k][i].item<std::int64_t>();
        ASSERT_NEAR(difference, base(point, c) / b.normalization.channels.scale[c], 1e-4);
      }
}

TEST(Batch, IsAFunctionOfStepAndAttempt) {
  Bench a({}, {0, 1, 2, 3, 4, 5, 6}), b({}, {0, 1, 2, 3, 4, 5, 6});
  a.maker->make(0, 0);
  EXPECT_TRUE(torch::equal(a.maker->make(5, 0).targets, b.maker->make(5, 0).targets));
  EXPECT_FALSE(torch::equal(a.maker->make(5, 0).targets, a.maker->make(6, 0).targets));
  EXPECT_FALSE(torch::equal(a.maker->make(5, 0).targets, a.maker->make(5, 1).targets));
}

TEST(Batch, EveryCaseIsSeenEquallyOften) {
  Bench b([](auto& c) { c.batch = 3; }, {0, 5, 7, 9, 11, 13, 15});
  std::map<float, int> seen;  // a case is known by its first sensor reading
  for (int s = 0; s < 14; ++s) {
    const auto values = b.maker->make(s, 0).observation.values;
    for (int i = 0; i < 3; ++i) ++seen[values[i][0].item<float>()];
  }
  ASSERT_EQ(seen.size(), b.train.size());
  for (const auto& [key, count] : seen) EXPECT_EQ(count, 6);
}

// Sensors without places of their own must not tell which case they are on.
TEST(Batch, RandomSensorsAreDrawnAnewAtEveryStep) {
  Bench fixed([](auto& c) { c.sensors.kind = SensorKind::kRandom; }, {0});
  Bench anew([](auto& c) { c.sensors.kind = SensorKind::kRandomEach; }, {0});
  for (Bench* b : {&fixed, &anew}) b->config.batch = 1;
  const auto places = [](Bench& b, Index step) { return b.maker->make(step, 0).observation.positions; };
  EXPECT_TRUE(torch::equal(places(fixed, 0), places(fixed, 1)));
  EXPECT_FALSE(torch::equal(places(anew, 0), places(anew, 1)));
  EXPECT_TRUE(torch::equal(places(anew, 1), places(anew, 1)));
  const auto batch = anew.maker->make(7, 0);
  // The sensors' targets are what they say at the places that were drawn.
  const auto& term = batch.terms.at(1);
  EXPECT_TRUE(torch::allclose(batch.queries.positions.slice(1, term.begin, term.end)[0],
                              batch.observation.positions[0].slice(0, 0, c10::nullopt, 2)));
}

TEST(Observation, ReadingsEnterAsDifferencesInUnitsOfTheirDeviation) {
  model::Normalization normalization;
  normalization.domain = {{0, 0}, {4, 2}};
  normalization.readings = {{10}, {2}};
  field::SensorReadings readings;
  readings.positions.resize(2, 2);
  readings.positions << 1, 1, 4, 0;
  readings.values.resize(2, 1);
  readings.values << 5, 30;
  readings.mean.resize(2, 1);
  readings.mean << 1, 33;
  const auto o = make_observation({readings}, {{}}, normalization, torch::kCPU);
  EXPECT_EQ(o.values[0][0].item<float>(), 2);
  EXPECT_EQ(o.values[0][1].item<float>(), -1.5f);
  EXPECT_EQ(o.positions[0][0][0].item<float>(), 0.25f);
  readings.mean.resize(0, 0);
  EXPECT_EQ(make_observation({readings}, {{}}, normalization, torch::kCPU).values[0][1].item<float>(), 10)
      << "a sensor whose mean reading is not known is compared with all";
}

// How many sensors each case of some batches keeps.
std::vector<int> sensors_kept(const std::function<void(TrainConfig&)>& change) {
  Bench b([&](auto& c) {
    c.sensors.channels = {"p"};
    change(c);
  });
  std::vector<int> out;
  for (int step = 0; step < 30; ++step) {
    const auto present = b.maker->make(step, 0).observation.present;
    for (Index i = 0; i < present.size(0); ++i) out.push_back(present[i].sum().item<int>());
  }
  return out;
}

TEST(Batch, SensorsAreLeftOutAsAskedButNeverAll) {
  const auto few = sensors_kept([](auto& c) { c.sensors_min = 1, c.sensors_max = 2; });
  EXPECT_EQ(std::set<int>(few.begin(), few.end()), (std::set<int>{1, 2}));
  const auto all = sensors_kept([](auto&) {}).front();
  const auto dropped = sensors_kept([](auto& c) { c.sensor_dropout = 0.5; });
  EXPECT_EQ(std::set<int>(dropped.begin(), dropped.end()), (std::set<int>{1, all})) << "half of the cases are whole";
  const auto whole = double(std::ranges::count(dropped, all)) / double(dropped.size());
  EXPECT_NEAR(whole, 0.5, 0.15);
}

TEST(Loss, ObservationTermComparesEachReadingWithItsOwnChannelAndPlace) {
  Bench b(
      [](auto& c) {
        c.sensors.channels = {"p"};
        c.lambda_obs = 0.5;
      },
      {0, 1});
  const auto batch = b.maker->make(0, 0);
  const auto& term = batch.terms.at(1);
  ASSERT_EQ(term.name, "observation");
  // What the sensors say is what the data say at their places.
  const auto sensors = b.sensors->of(0);
  ASSERT_EQ(term.end - term.begin, std::ssize(sensors.points));
  EXPECT_EQ(batch.queries.points[0][term.begin + 1].item<Index>(), sensors.points[1]);
  // A prediction that equals the truth at the sensors in channel p, and is absurd elsewhere.
  auto prediction = torch::full({b.config.batch, batch.queries.positions.size(1), 2}, 7.0f);
  prediction.slice(1, term.begin, term.end)
      .select(2, 1)
      .copy_(batch.targets.slice(1, term.begin, term.end).select(2, 1));
  Says model(prediction);
  EXPECT_NEAR(compute_loss(model, batch).terms.at("observation"), 0, 1e-10);
  prediction[0][term.begin][1] += 1;
  EXPECT_NEAR(compute_loss(model, batch).terms.at("observation"),
              1.0 / double(b.config.batch * (term.end - term.begin)), 1e-6);
}

TEST(Loss, SurfaceTermIsTheMeanSquareOverTheWallOfTheBatch) {
  Bench b([](auto& c) {
    c.lambda_surface = 0.2;
    c.lambda_obs = 0;
    c.sampling.surface_queries = 5;
  });
  const auto batch = b.maker->make(0, 0);
  const auto& term = batch.terms.at(1);
  ASSERT_EQ(term.name, "surface");
  ASSERT_EQ(term.end - term.begin, 5);
  const auto& wall = b.data.mesh(0)->surface;
  for (Index i = term.begin; i < term.end; ++i)
    EXPECT_THAT(wall, testing::Contains(batch.queries.points[2][i].item<Index>())) << "a query beside the wall";
  Says model(batch.targets.clone());
  EXPECT_EQ(compute_loss(model, batch).total.item<double>(), 0);
  model.answer[0][term.begin + 1][1] += 2;
  const auto loss = compute_loss(model, batch);
  EXPECT_NEAR(loss.terms.at("surface"), 4.0 / double(4 * 5 * 2), 1e-6);
  EXPECT_NEAR(loss.total.item<double>(), 0.2 * loss.terms.at("surface"), 1e-6);
}

TEST(Loss, TotalIsTheWeightedSumOfItsTermsAndAbsentReadingsCountNothing) {
  Bench b([](auto& c) {
    c.sensors_min = 1, c.sensors_max = 3;
    c.sensor_noise = 0.1;
    c.lambda_obs = 0.3;
    c.sampling.kind = SamplingKind::kRms;
  });
  const auto batch = b.maker->make(0, 0);
  const auto& o = batch.observation;
  const auto field = batch.terms.at(0), sensors = batch.terms.at(1);
  const Index q = field.end, readings = 2 * (sensors.end - sensors.begin) * b.config.batch;
  ASSERT_LT(o.present.sum().item<double>(), double(readings));
  torch::manual_seed(1);
  Says model(torch::randn({b.config.batch, batch.queries.positions.size(1), 2}));
  const auto loss = compute_loss(model, batch);

  // The definition, term by term: all field queries, weighed by how rarely they are drawn, ...
  const auto sampler = QuerySampling(b.config.sampling, b.data, b.train).on_mesh(0, b.data.mesh(0).get());
  double data_term = 0;
  for (Index k = 0; k < b.config.batch; ++k)
    for (Index i = 0; i < q; ++i) {
      const auto difference = model.answer[k][i] - batch.targets[k][i];
      data_term += sampler->weight(batch.queries.points[k][i].item<Index>()) *
                   difference.square().mean().item<double>() / double(q * b.config.batch);
    }
  // ... and every reading that is there, at its sensor and channel, noise and all.
  double square = 0, count = 0;
  for (Index k = 0; k < b.config.batch; ++k)
    for (Index t = 0; t < o.present.size(1); ++t) {
      if (o.present[k][t].item<float>() == 0) continue;
      for (Index i = sensors.begin; i < sensors.end; ++i) {
        if (!torch::equal(batch.queries.positions[k][i], o.positions[k][t])) continue;
        const auto c = o.channels[k][t].item<Index>();
        const auto& mean = b.sensors->of(0).layout.mean_readings;
        const double reading = o.values[k][t].item<double>() * b.normalization.readings.scale[c] +
                               (mean.size() > 0 ? mean(i - sensors.begin, c) : b.normalization.readings.mean[c]);
        const double target = (reading - b.normalization.channels.mean[c]) / b.normalization.channels.scale[c];
        square += std::pow(model.answer[k][i][c].item<double>() - target, 2);
        ++count;
      }
    }
  EXPECT_EQ(count, o.present.sum().item<double>());
  EXPECT_NEAR(loss.terms.at("data"), data_term, 1e-5 * data_term);
  EXPECT_NEAR(loss.terms.at("observation"), square / count, 1e-5 * square / count);
  EXPECT_NEAR(loss.total.item<double>(), data_term + 0.3 * square / count, 1e-5);
}

}  // namespace
}  // namespace fluidsplat::learn

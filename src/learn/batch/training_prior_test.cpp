// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/training_prior.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "field/all_places.h"
#include "field/mean_field.h"
#include "learn/batch/batch.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"

namespace fluidsplat::learn {
namespace {

using ::testing::HasSubstr;

// Every case has something of its own far from the sensors, which they cannot know.
field::MemoryDataset with_surprises(const field::MemoryDataset& data) {
  field::MemoryDataset out(data.schema());
  for (Index i = 0; i < data.size(); ++i) {
    auto c = data.load(i);
    c.fields.bottomRows(c.fields.rows() / 2).array() += 0.1f * float(std::sin(double(i * i)));
    out.add(std::move(c));
  }
  return out;
}

// Half of the toy wake's frames train.
struct Bench {
  explicit Bench(field::MemoryDataset given = toy_wake(48)) : data(std::move(given)) {
    for (Index i = 0; i < data.size(); i += 2) train.push_back(i);
    sensors.emplace(make_sensors(config.sensors, data), data);
    const auto places = field::all_places(*data.mesh(0));
    base.emplace(places, field::mean_at_places(data, train));
    normalization = field::fit_normalization(data, train, base->values());
    normalization.readings = sensors->learn_means(data, train, normalization.channels);
    config.prior.kind = PriorKind::kPodKernel;
    config.subtract_mean = true;
  }
  TrainingPrior fit() const { return fit_prior({data, train, *sensors, normalization}, *base, config.prior); }
  // A case's field by the prior alone.
  field::Matrix said(const classical::PodPrior& pod, const Eigen::VectorXd& coefficients) const {
    field::Matrix out = base->values();
    classical::PodPrior::add(pod.fields().values().data(), out.rows(), out.cols(), coefficients, out.data());
    return out;
  }
  double error(const field::Matrix& said, Index index) const {
    return (said - data.load(index).fields).norm() / (data.load(index).fields - base->values()).norm();
  }

  field::MemoryDataset data;
  TrainConfig config = toy_config("unused");
  std::vector<Index> train;
  std::optional<field::SensorPlacement> sensors;
  model::Normalization normalization;
  std::optional<model::BaseField> base;
};

// A travelling wave has two modes, and the readings say where it is.
TEST(TrainingPrior, KnowsUnseenFramesOfAWave) {
  const Bench b;
  const auto fitted = b.fit();
  const auto& pod = *fitted.prior.pod;
  for (Index i = 1; i < b.data.size(); i += 2) {
    EXPECT_EQ(fitted.row_of[i], -1);
    const auto c = fitted.coefficients(i, b.sensors->read(b.data.load(i), i).values);
    EXPECT_LT(b.error(b.said(pod, c), i), 0.02) << i;
  }
}

// What training sees of a case is what would be said if it were unseen, and the scale is how much that errs.
TEST(TrainingPrior, TrainingCasesAreLeftOut) {
  const Bench b(with_surprises(toy_wake(48)));
  const auto fitted = b.fit();
  const auto& pod = *fitted.prior.pod;
  double left = 0, known = 0;
  for (const Index i : b.train) {
    const auto readings = b.sensors->read(b.data.load(i), i).values;
    Eigen::VectorXd heard(fitted.inputs->size());
    fitted.inputs->read(readings.data(), heard.data());
    field::Matrix residual = b.said(pod, fitted.coefficients(i, readings)) - b.data.load(i).fields;
    for (Index k = 0; k < 2; ++k) residual.col(k) /= b.normalization.channels.scale[k];
    left += residual.cast<double>().squaredNorm() / double(residual.size() * std::ssize(b.train));
    known += std::pow(b.error(b.said(pod, pod.coefficients(heard)), i), 2);
  }
  EXPECT_GT(std::sqrt(left), 2 * std::sqrt(known / double(b.train.size())));
  EXPECT_NEAR(fitted.prior.network_scale, std::sqrt(left), 0.05 * std::sqrt(left));
}

TEST(TrainingPrior, TargetsAreWhatItLeavesInItsOwnUnits) {
  const Bench b(with_surprises(toy_wake(48)));
  const auto fitted = b.fit();
  BatchMaker plain(b.config, b.data, b.train, b.normalization, *b.sensors, false, torch::kCPU, b.base->values()),
      with(b.config, b.data, b.train, b.normalization, *b.sensors, false, torch::kCPU, b.base->values(), &fitted);
  double squares = 0, count = 0;
  for (Index step = 0; step < 12; ++step) {
    const auto one = plain.make(step, 0), other = with.make(step, 0);
    ASSERT_TRUE(torch::equal(one.queries.points, other.queries.points));
    const auto rows = other.targets.slice(1, other.terms[0].begin, other.terms[0].end);
    squares += rows.square().sum().item<double>();
    count += double(rows.numel());
    EXPECT_LT(rows.square().mean().item<double>() * std::pow(fitted.prior.network_scale, 2),
              0.1 * one.targets.square().mean().item<double>());
  }
  EXPECT_NEAR(std::sqrt(squares / count), 1, 0.3);
}

TEST(TrainingPrior, NeedsSensorsAndAMeshThatStay) {
  Bench b;
  b.config.sensors.kind = SensorKind::kRandomEach;
  b.sensors.emplace(make_sensors(b.config.sensors, b.data), b.data);
  EXPECT_THAT([&] { b.fit(); },
              ::testing::Throws<Error>(::testing::Property(&Error::what, HasSubstr("the same in all cases"))));
  Bench elsewhere;
  elsewhere.base.emplace(field::Matrix(2 * elsewhere.base->points()), field::Matrix(elsewhere.base->values()));
  EXPECT_THAT([&] { elsewhere.fit(); },
              ::testing::Throws<Error>(::testing::Property(&Error::what, HasSubstr("the base field is known on"))));
  Bench other;
  auto c = other.data.load(0);
  c.mesh = std::make_shared<field::Mesh>(*c.mesh);
  other.data.add(c);
  other.train.push_back(other.data.size() - 1);
  EXPECT_THAT([&] { other.fit(); },
              ::testing::Throws<Error>(::testing::Property(&Error::what, HasSubstr("share one mesh"))));
}

}  // namespace
}  // namespace fluidsplat::learn

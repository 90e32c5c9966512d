// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/fit_kriging.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "model/fluidsplat_spec.h"

namespace fluidsplat::reconstruct {
namespace {

using Field = std::function<float(float x, float y)>;

// A model that says the same of every case, and nothing of channels but the first.
class Stubborn : public FieldModel {
 public:
  Stubborn(const field::Dataset& data, Field answer) : answer_(std::move(answer)) {
    description_.schema = data.schema();
    description_.normalization.domain = data.domain();
    description_.normalization.channels.mean.assign(data.schema().channels.size(), 0);
    description_.normalization.channels.scale.assign(data.schema().channels.size(), 1);
  }
  const model::Spec& spec() const override { return spec_; }
  const model::Description& description() const override { return description_; }
  Index parameters() const override { return 0; }
  const model::BaseField* base() const override { return nullptr; }
  const classical::Prior& prior() const override { return prior_; }
  Reconstruction reconstruct(const field::SensorReadings&, const field::Vector&,
                             const std::shared_ptr<const field::Mesh>& mesh, const Extras&) override {
    Reconstruction out;
    out.field.setZero(mesh->size(), std::ssize(schema().channels));
    for (Index i = 0; i < mesh->size(); ++i) out.field(i, 0) = answer_(mesh->points(i, 0), mesh->points(i, 1));
    return out;
  }

 private:
  Field answer_;
  model::FluidSplatSpec spec_;
  model::Description description_;
  classical::Prior prior_;
};

constexpr Index kSide = 20, kCases = 8, kSensors = 40;

field::MemoryDataset cases_of(const std::function<Field(Index case_index)>& truth) {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"p", "Pa"}};
  field::MemoryDataset data(schema, "made up");
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.resize(kSide * kSide, 2);
  mesh->features.resize(kSide * kSide, 0);
  for (Index i = 0; i < kSide * kSide; ++i) mesh->points.row(i) << float(i % kSide), float(i / kSide);
  for (Index t = 0; t < kCases; ++t) {
    field::Case c;
    c.mesh = mesh;
    c.fields.resize(kSide * kSide, 1);
    const auto field = truth(t);
    for (Index i = 0; i < kSide * kSide; ++i) c.fields(i, 0) = field(mesh->points(i, 0), mesh->points(i, 1));
    data.add(c);
  }
  return data;
}

KrigingFit fit(const field::MemoryDataset& data, const Field& answer, Index least = 0) {
  Stubborn model(data, answer);
  const field::SensorPlacement sensors(field::random_layout(data, kSensors, 4, {0}), data);
  KrigingTrial trial{data, sensors, {}};
  for (Index i = 0; i < data.size(); ++i) trial.cases.push_back(i);
  if (least > 0) trial.sensors_min = least, trial.sensors_max = kSensors;
  return fit_kriging(model, trial);
}

// With a second channel of large numbers that no sensor sees.
field::MemoryDataset beside_noise(const field::MemoryDataset& data, float size) {
  auto schema = data.schema();
  schema.channels.push_back({"c", ""});
  field::MemoryDataset out(schema, "made up");
  Random random(1);
  for (Index t = 0; t < data.size(); ++t) {
    auto c = data.load(t);
    c.fields.conservativeResize(Eigen::NoChange, 2);
    for (Index i = 0; i < c.fields.rows(); ++i) c.fields(i, 1) = size * float(random.normal());
    out.add(c);
  }
  return out;
}

Field zero() {
  return [](float, float) { return 0.0f; };
}

TEST(FitKriging, WhatIsMissedSmoothlyIsFoundFromTheSensors) {
  const auto data = cases_of([](Index t) {
    return [t](float x, float y) { return std::sin(0.2f * x + float(t)) + std::cos(0.15f * y + 2 * float(t)); };
  });
  const auto all = fit(data, zero());
  EXPECT_NEAR(all.before, 1, 1e-6) << "a model that says 0 misses everything";
  EXPECT_LT(all.after, 0.1);
  EXPECT_GE(all.kriging.length, 0.1);
  const auto fewer = fit(data, zero(), 4);
  EXPECT_GT(fewer.after, 1.5 * all.after) << "with fewer sensors in some of the cases more stays missed";
}

// What helps one channel helps, whatever units the others are in.
TEST(FitKriging, LargeNumbersOfAnotherChannelDoNotHideWhatIsGained) {
  const auto data = cases_of([](Index t) { return [t](float x, float) { return std::sin(0.2f * x + float(t)); }; });
  const auto alone = fit(data, zero()), beside = fit(beside_noise(data, 1000), zero());
  EXPECT_TRUE(beside.kriging.is_on());
  EXPECT_EQ(beside.kriging.length, alone.kriging.length);
  EXPECT_NEAR(beside.after, 0.5 * (alone.after + 1), 1e-3);
}

TEST(FitKriging, NoiseIsLeftAlone) {
  const auto data = cases_of(
      [](Index t) { return [random = std::make_shared<Random>(t)](float, float) { return float(random->normal()); }; });
  const auto found = fit(data, zero());
  EXPECT_FALSE(found.kriging.is_on());
  EXPECT_EQ(found.after, found.before);
}

// What is missed on either side of a jump has nothing to do with the other side.
TEST(FitKriging, ADifferenceOfAnswersPartsNeighbours) {
  const Field jump = [](float x, float) { return x < 9.5f ? -5.0f : 5.0f; };
  const auto data = cases_of([&](Index t) {
    return
        [=](float x, float y) { return jump(x, y) + (x < 9.5f ? 2 * std::sin(float(3 * t)) : 2 * std::cos(float(t))); };
  });
  const auto found = fit(data, jump);
  EXPECT_LT(found.kriging.contrast, 10);
  EXPECT_LT(found.after, 0.15 * found.before);
}

}  // namespace
}  // namespace fluidsplat::reconstruct

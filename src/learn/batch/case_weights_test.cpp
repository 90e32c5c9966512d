// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/case_weights.h"

#include <gtest/gtest.h>

namespace fluidsplat::learn {
namespace {

// Cases of two channels that are +-size at their points.
field::MemoryDataset flows(const std::vector<std::pair<float, float>>& sizes) {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"u", "m/s"}, {"p", "m2/s2"}};
  field::MemoryDataset out(schema);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = field::Matrix::Random(4, 2);
  mesh->features.resize(4, 0);
  for (const auto& [u, p] : sizes) {
    field::Case c;
    c.mesh = mesh;
    c.fields.resize(4, 2);
    for (Index i = 0; i < 4; ++i) c.fields.row(i) << (i % 2 ? u : -u), (i < 2 ? p : -p);
    out.add(std::move(c));
  }
  return out;
}

field::Matrix weights_of(const CaseWeights& weights, Index index) {
  field::Matrix out = field::Matrix::Ones(1, 2);
  weights.apply(index, out);
  return out;
}

TEST(CaseWeights, AllCountAlikeWithoutFurtherAsking) {
  EXPECT_EQ(weights_of(CaseWeights(), 3), (field::Matrix::Ones(1, 2)));
}

// A half of every value wrong is the same loss in a weak flow as in a strong one.
TEST(CaseWeights, EqualRelativeErrorsCountTheSame) {
  const auto data = flows({{1, 1}, {3, 9}, {2, 4}, {100, 100}});
  const auto weights = CaseWeights::relative(data, {0, 1, 2});
  const auto loss = [&](Index i, Index channel) {
    const float error = 0.5f * data.load(i).fields(0, channel);
    return error * error * weights_of(weights, i)(0, channel);
  };
  for (Index channel = 0; channel < 2; ++channel) {
    EXPECT_NEAR(loss(1, channel) / loss(0, channel), 1, 1e-5);
    EXPECT_NEAR(loss(2, channel) / loss(0, channel), 1, 1e-5);
    double sum = 0;
    for (Index i = 0; i < 3; ++i) sum += weights_of(weights, i)(0, channel);
    EXPECT_NEAR(sum, 3, 1e-5);
  }
}

TEST(CaseWeights, AFlowOfNextToNothingDoesNotRuleTheLoss) {
  const auto data = flows({{1, 0}, {1e-6f, 0}});
  const auto weights = CaseWeights::relative(data, {0, 1});
  EXPECT_NEAR(weights_of(weights, 1)(0, 0) / weights_of(weights, 0)(0, 0), 1 / (1e-4 * 0.5), 10);
  EXPECT_EQ(weights_of(weights, 0)(0, 1), 1);
}

}  // namespace
}  // namespace fluidsplat::learn

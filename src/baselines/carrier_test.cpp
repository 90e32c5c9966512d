// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/carrier.h"

#include <gtest/gtest.h>

namespace fluidsplat::baselines {
namespace {

// A grid of 5 x 4 places in a domain that is twice as long as high, and two fields of two channels that are linear in
// space: interpolation has no error.
class CarrierTest : public testing::Test {
 protected:
  static torch::Tensor fields_at(const torch::Tensor& unit) {
    const auto x = unit.select(1, 0), y = unit.select(1, 1);
    const auto first = torch::stack({1 + 2 * x, x - y}, 1), second = torch::stack({3 * y, 4 - x + 5 * y}, 1);
    return torch::stack({first, second});  // [2, Q, 2]
  }
  void expect_fields(const torch::Tensor& positions, const torch::Tensor& points) const {
    const auto found = carrier_.look_up(fields_at(unit_).reshape({2, -1}), 2, positions, points);
    EXPECT_LT((found - fields_at(positions)).abs().max().item<float>(), 1e-5f);
  }

  torch::Tensor unit_ = [] {
    const auto axes = torch::meshgrid({torch::linspace(0, 1, 5), torch::linspace(0, 1, 4)}, "ij");
    return torch::stack({axes[0].reshape(-1), axes[1].reshape(-1)}, 1).contiguous();
  }();
  torch::Tensor aspect_ = torch::tensor({{1.0f, 0.5f}});
  Carrier carrier_{unit_ * aspect_, aspect_};
};

TEST_F(CarrierTest, LooksUpItsOwnPlaces) {
  for (const auto& points : {torch::arange(3, 11, torch::kInt64), torch::tensor({7, 2, 19, 2}, torch::kInt64)})
    expect_fields(unit_.index_select(0, points), points);
}

TEST_F(CarrierTest, InterpolatesBetweenThem) {
  expect_fields(torch::tensor({{0.1f, 0.9f}, {0.55f, 0.2f}, {0.99f, 0.4f}}), {});
}

// Numbers of another mesh's points are no places here, even where they are small enough to be.
TEST_F(CarrierTest, NumbersOnAnotherMeshAreNotTaken) {
  expect_fields(torch::tensor({{0.1f, 0.9f}, {0.55f, 0.2f}}), torch::tensor({0, 1}, torch::kInt64));
}

// Many positions, whose neighbours are kept: asked for again, then others of the same number, then the first again.
TEST_F(CarrierTest, KeptNeighboursAreThoseOfThePositions) {
  const auto many = torch::rand({2000, 2}), others = torch::rand({2000, 2});
  for (const auto& positions : {many, many, others, many}) expect_fields(positions, {});
}

TEST_F(CarrierTest, ASumOfFieldsIsThatOfWhatIsLookedUp) {
  const auto amounts = torch::tensor({{2.0f, -3.0f}});
  const auto fields = fields_at(unit_).reshape({2, -1});
  const auto points = torch::tensor({7, 2, 19}, torch::kInt64);
  const auto on = unit_.index_select(0, points), between = torch::rand({50, 2});
  const auto sum = [&](const torch::Tensor& at) { return 2 * fields_at(at)[0] - 3 * fields_at(at)[1]; };
  EXPECT_LT((carrier_.look_up_sum(amounts, fields, 2, on, points) - sum(on)).abs().max().item<float>(), 1e-5f);
  EXPECT_LT((carrier_.look_up_sum(amounts, fields, 2, between) - sum(between)).abs().max().item<float>(), 2e-5f);
}

}  // namespace
}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/next_basis.h"

#include <gtest/gtest.h>

namespace fluidsplat::learn {
namespace {

const auto kDouble = torch::kFloat64, kFloat = torch::kFloat32;

torch::Tensor random_rotation(Index n) {
  return std::get<0>(torch::linalg_qr(torch::randn({n, n}, kDouble), "reduced"));
}

torch::Tensor with_eigenvalues(const torch::Tensor& eigenvalues) {
  const auto q = random_rotation(eigenvalues.size(0));
  return torch::matmul(q * eigenvalues, q.t());
}

torch::Tensor renewed(const torch::Tensor& matrix, const torch::Tensor& basis, const torch::Tensor& order,
                      Index block) {
  const Index n = matrix.size(0);
  const auto next = torch::zeros_like(basis);
  for (Index begin = 0; begin < n; begin += block)
    renew_columns(matrix, basis, order, begin, std::min(begin + block, n), next);
  return next;
}

double distance_from_orthonormal(const torch::Tensor& basis) {
  const auto b = basis.to(kDouble);
  return (torch::matmul(b.t(), b) - torch::eye(b.size(0), kDouble)).abs().max().item<double>();
}

TEST(NextBasis, InBlocksIsTheQrOfThePowerStep) {
  torch::manual_seed(1);
  const auto matrix = with_eigenvalues(torch::logspace(-2, 2, 150, 10, kDouble)), basis = random_rotation(150);
  const auto order = torch::randperm(150, kDouble);
  const auto image = torch::matmul(matrix, basis.index_select(1, order.to(torch::kInt64)));
  const auto whole = std::get<0>(torch::linalg_qr(image, "reduced"));
  for (Index block : {1, 64, 150}) {
    const auto blocks = renewed(matrix, basis, order, block);
    const auto sign = (whole * blocks).sum(0).sign();
    EXPECT_LT((whole * sign - blocks).abs().max().item<double>(), 1e-8) << "blocks of " << block;
  }
}

// In float, refresh after refresh from a basis that knows nothing of the matrix: columns that are mapped to nothing, or
// nearly all to the same direction, must not end up along finished ones.
TEST(NextBasis, StaysOrthonormalWhateverTheMatrix) {
  torch::manual_seed(2);
  constexpr Index n = 300;
  const auto low_rank = torch::cat({torch::ones({8}, kDouble), torch::zeros({n - 8}, kDouble)});
  const auto single = torch::cat({torch::ones({1}, kDouble), torch::zeros({n - 1}, kDouble)});
  const std::vector<std::pair<const char*, torch::Tensor>> matrices = {
      {"nothing", torch::zeros({n, n}, kDouble)},
      {"one direction", with_eigenvalues(single)},
      {"eight directions", with_eigenvalues(low_rank)},
      {"the same, tiny", with_eigenvalues(low_rank) * 1e-25},
      {"the same, huge", with_eigenvalues(low_rank) * 1e25},
      {"all scales", with_eigenvalues(torch::logspace(-20, 0, n, 10, kDouble))},
      {"one axis", torch::diag(single)},
      {"all ones", torch::ones({n, n}, kDouble)}};
  for (const auto& [name, matrix] : matrices) {
    for (const auto& start : {torch::eye(n, kDouble), random_rotation(n)}) {
      auto basis = start.to(kFloat);
      for (int refresh = 0; refresh < 4; ++refresh) {
        basis = renewed(matrix.to(kFloat), basis, torch::arange(n, kFloat), 64);
        ASSERT_LT(distance_from_orthonormal(basis), 1e-5) << name << ", refresh " << refresh;
      }
    }
  }
}

TEST(NextBasis, TurnsToTheEigenvectors) {
  torch::manual_seed(3);
  const auto eigenvalues = torch::logspace(0, -6, 100, 10, kDouble), matrix = with_eigenvalues(eigenvalues);
  auto basis = random_rotation(100);
  for (int refresh = 0; refresh < 200; ++refresh) basis = renewed(matrix, basis, torch::arange(100, kDouble), 32);
  const auto turned = torch::matmul(torch::matmul(basis.t(), matrix), basis);
  EXPECT_LT((turned.diagonal() / eigenvalues - 1).abs().max().item<double>(), 1e-4);
}

}  // namespace
}  // namespace fluidsplat::learn

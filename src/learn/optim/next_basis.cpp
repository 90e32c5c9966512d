// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/next_basis.h"

#include <limits>

namespace fluidsplat::learn {
namespace {

double rounding(const torch::Tensor& t) {
  return t.dtype() == torch::kFloat64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
}

// The columns under the matrix, scaled to trace 1, plus a little of the identity.  That little bounds from below what
// Gram-Schmidt leaves of a column: columns that the matrix maps to nothing, or to what earlier ones span already, are
// not left to rounding errors, which need not be orthogonal to anything.
torch::Tensor power_step(const torch::Tensor& matrix, const torch::Tensor& columns) {
  constexpr double kRoundings = 16;
  const double trace = matrix.trace().item<double>();
  return torch::addmm(columns, matrix, columns, kRoundings * rounding(matrix), trace > 0 ? 1 / trace : 0);
}

torch::Tensor orthonormalized(const torch::Tensor& columns) {
  return std::get<0>(torch::linalg_qr(columns, "reduced"));
}

}  // namespace

void renew_columns(const torch::Tensor& matrix, const torch::Tensor& basis, const torch::Tensor& order, Index begin,
                   Index end, const torch::Tensor& next) {
  auto columns = power_step(matrix, basis.index_select(1, order.slice(0, begin, end).to(torch::kInt64)));
  const auto finished = next.slice(1, 0, begin);
  // Where a projection leaves little of a column, its rounding error weighs; a second one removes that.
  for (int pass = 0; pass < (begin == 0 ? 1 : 2); ++pass) {
    if (begin > 0) columns.addmm_(finished, torch::matmul(finished.t(), columns), 1, -1);
    columns = orthonormalized(columns);
  }
  next.slice(1, begin, end).copy_(columns);
}

}  // namespace fluidsplat::learn

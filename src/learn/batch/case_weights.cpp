// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/case_weights.h"

#include <algorithm>

namespace fluidsplat::learn {
namespace {

// Of the mean square over all cases.
constexpr double kFloor = 1e-4;
// Points that are in memory at a time.
constexpr Index kPiece = Index{1} << 20;

Eigen::ArrayXd mean_squares(const field::Dataset& dataset, Index index) {
  const Index points = dataset.outline(dataset.mesh_of(index)).points;
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(std::ssize(dataset.schema().channels));
  for (Index first = 0; first < points; first += kPiece)
    sum += dataset.values_in(index, first, std::min(kPiece, points - first))
               .cast<double>()
               .array()
               .square()
               .colwise()
               .sum()
               .transpose();
  return sum / double(points);
}

}  // namespace

CaseWeights CaseWeights::relative(const field::Dataset& dataset, const std::vector<Index>& cases) {
  const Index n = std::ssize(cases), channels = std::ssize(dataset.schema().channels);
  Eigen::ArrayXXd squares(n, channels);
  for (Index i = 0; i < n; ++i) squares.row(i) = mean_squares(dataset, cases[i]).transpose();
  const Eigen::ArrayXd mean = squares.colwise().mean().transpose();
  CaseWeights out;
  for (Index c = 0; c < channels; ++c) {
    if (mean(c) == 0)
      squares.col(c) = 1;  // a channel that is zero everywhere
    else
      squares.col(c) = squares.col(c).max(kFloor * mean(c)).inverse();
    squares.col(c) /= squares.col(c).mean();
  }
  for (Index i = 0; i < n; ++i) out.of_case_[cases[i]] = squares.row(i).matrix().cast<float>();
  return out;
}

void CaseWeights::apply(Index case_index, Eigen::Ref<field::Matrix> weights) const {
  if (of_case_.empty()) return;
  weights.array().rowwise() *= of_case_.at(case_index).array();
}

}  // namespace fluidsplat::learn

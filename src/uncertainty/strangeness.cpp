// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/strangeness.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::uncertainty {
namespace {

// As differences between readings have it: nine of ten are within so many units.
constexpr double kOften = 0.9, kOftenNormal = 1.645;
// Readings that are in training themselves are at no distance, and say nothing of what is usual.
constexpr double kNowhere = 1e-6;

}  // namespace

Strangeness::Strangeness(const Calibration& c) : groups_(c.rungs.front().consistency) {
  const auto& past = c.instants;
  if (!c.law || past.calibrated.rows() == 0) return;
  distance_.training = c.law->training;
  std::vector<double> usual;
  for (Index i = 0; i < past.usual.rows(); ++i) usual.push_back(distance_.distance(past.usual.row(i).data()));
  const auto at = usual.begin() + std::min(std::ssize(usual) - 1, Index(kOften * double(usual.size())));
  std::nth_element(usual.begin(), at, usual.end());
  unit_ = *at / kOftenNormal;
  if (*at < kNowhere) distance_.training.resize(0, 0);

  std::vector<std::vector<float>> together(past.group.back() + 1);
  std::vector<double> squares(together.size()), count(together.size());
  for (Index i = 0; i < past.calibrated.rows(); ++i) {
    const double s = of(past.calibrated.row(i).data(), past.consistency[i]);
    instants_.push_back(s);
    squares[past.group[i]] += s * s;
    count[past.group[i]] += 1;
  }
  for (std::size_t g = 0; g < together.size(); ++g) together[g] = {float(std::sqrt(squares[g] / count[g]))};
  groups_ = ScoreTable(std::move(together));
}

double Strangeness::of(const float* normalized, double consistency) const {
  if (distance_.training.rows() == 0) return consistency;
  return std::max(consistency, distance_.distance(normalized) / unit_);
}

}  // namespace fluidsplat::uncertainty

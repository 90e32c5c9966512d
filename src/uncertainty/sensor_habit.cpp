// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/sensor_habit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace fluidsplat::uncertainty {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
// A reading's usual difference, over differences of any law: what nine of ten are within, as if they were normal.
constexpr double kOften = 0.9, kOftenNormal = 1.645;
// Entries of the table of largest differences.
constexpr Index kEntries = 1000;

double often(std::vector<float> sizes) {
  const auto at = sizes.begin() + std::min(std::ssize(sizes) - 1, Index(kOften * double(sizes.size())));
  std::nth_element(sizes.begin(), at, sizes.end());
  return *at / kOftenNormal;
}

}  // namespace

std::vector<float> usual_differences(const std::vector<std::vector<float>>& differences, const InstantReadings& own) {
  std::vector<std::vector<float>> sizes(own.size());
  std::vector<float> all, out;
  for (const auto& d : differences)
    for (Index v = 0; v < own.size(); ++v)
      if (!std::isnan(d[v])) {
        sizes[v].push_back(std::abs(d[v]));
        all.push_back(std::abs(d[v]) / own.readings()[v].scale);
      }
  // A sensor that nobody heard is taken to be like the others; none is taken to be much better than they are.
  const double common = all.empty() ? 1 : often(all);
  for (Index v = 0; v < own.size(); ++v) {
    const double unit = own.readings()[v].scale;
    const double usual = sizes[v].empty() ? common * unit : often(sizes[v]);
    out.push_back(float(std::max({usual, 0.05 * common * unit, 1e-9 * unit})));
  }
  return out;
}

SensorHabit habit_of(const std::vector<std::vector<float>>& differences, const std::vector<Index>& group,
                     std::vector<float> scale) {
  SensorHabit out;
  const Index groups = group.empty() ? 0 : group.back() + 1;
  std::vector<std::vector<float>> worst(groups), together(groups), steps = differences;
  std::vector<double> sums(groups);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    double most = 0, squares = 0;
    Index count = 0;
    for (std::size_t v = 0; v < scale.size(); ++v) {
      steps[i][v] /= scale[v];
      const double s = std::abs(steps[i][v]);
      if (std::isnan(s)) continue;
      most = std::max(most, s), squares += s * s;
      ++count;
    }
    const double mean = count > 0 ? squares / double(count) : 0;
    worst[group[i]].push_back(float(most));
    sums[group[i]] += mean;
    out.instants.push_back(std::sqrt(mean));
  }
  // One number per group, as the shift test bets once a block.
  for (Index g = 0; g < groups; ++g) together[g] = {float(std::sqrt(sums[g] / double(worst[g].size())))};
  out.disagreement = ScoreTable(std::move(worst), kEntries);
  out.consistency = ScoreTable(std::move(together));
  out.block_steps = block_steps(steps, group);
  out.scale = std::move(scale);
  return out;
}

model::Matrix block_steps(const std::vector<std::vector<float>>& steps, const std::vector<Index>& group) {
  const Index readings = steps.empty() ? 0 : std::ssize(steps.front());
  const Index groups = group.empty() ? 0 : group.back() + 1;
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(groups, 2 * readings), counts = sums;
  for (std::size_t r = 0; r < steps.size(); ++r)
    for (Index v = 0; v < readings; ++v) {
      const double s = steps[r][v];
      if (std::isnan(s)) continue;
      sums(group[r], v) += s;
      sums(group[r], readings + v) += s * s;
      counts(group[r], v) += 1;
    }
  model::Matrix out(groups, 2 * readings);
  for (Index b = 0; b < groups; ++b)
    for (Index v = 0; v < readings; ++v) {
      const double n = counts(b, v);
      out(b, v) = n > 0 ? float(sums(b, v) / n) : kNone;
      out(b, readings + v) = n > 0 ? float(std::sqrt(sums(b, readings + v) / n)) : kNone;
    }
  return out;
}

}  // namespace fluidsplat::uncertainty

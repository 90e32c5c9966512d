// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/series_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
// Instants whose readings differ by less than this, in standard deviations of training, show the same flow.
constexpr double kSame = 0.1;
constexpr Index kExchanges = 999;
// One wrong sensor makes others look wrong: so many suspects are tried.
constexpr std::size_t kTried = 4;
// Root mean squares are compared by their logarithms, and what is far below a usual difference is as good as any.
constexpr float kSmall = 0.3f;

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  Index count = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    if (std::isnan(a[v]) || std::isnan(b[v])) continue;
    sum += double(a[v] - b[v]) * double(a[v] - b[v]);
    ++count;
  }
  return count > 0 ? std::sqrt(sum / double(count)) : 0;
}

// Both sets below each other, every column in spreads from its mean; what is not known is at the mean.
Eigen::MatrixXd pooled(const model::Matrix& calibrated, const model::Matrix& seen) {
  const Index rows = calibrated.rows() + seen.rows(), readings = calibrated.cols() / 2;
  Eigen::MatrixXd all(rows, calibrated.cols());
  for (Index c = 0; c < all.cols(); ++c) {
    double sum = 0, squares = 0;
    Index count = 0;
    for (Index r = 0; r < rows; ++r) {
      const float x = r < calibrated.rows() ? calibrated(r, c) : seen(r - calibrated.rows(), c);
      all(r, c) = c < readings ? x : std::log(x + kSmall);
      if (std::isnan(x)) continue;
      sum += all(r, c), squares += all(r, c) * all(r, c);
      ++count;
    }
    const double mean = count > 0 ? sum / double(count) : 0;
    const double variance = count > 0 ? squares / double(count) - mean * mean : 0;
    for (Index r = 0; r < rows; ++r)
      all(r, c) = std::isnan(all(r, c)) || variance < 1e-20 ? 0 : (all(r, c) - mean) / std::sqrt(variance);
  }
  return all;
}

// Sums over the blocks of the series in standard errors: means may be off to both sides, mean squares upwards.
Eigen::VectorXd in_errors(const Eigen::VectorXd& sums, double unit) {
  Eigen::VectorXd out = unit * sums;
  out.head(out.size() / 2) = out.head(out.size() / 2).cwiseAbs();
  return out;
}

// How far the means of a column are apart, in standard errors of the calibrated blocks' spread: unlike what the
// permutation test ranks, it has no bound, so that of two wrong sensors it tells the worse.  [2 V]
Eigen::VectorXd apart(const model::Matrix& calibrated, const model::Matrix& seen) {
  const Index readings = calibrated.cols() / 2;
  Eigen::VectorXd out = Eigen::VectorXd::Zero(calibrated.cols());
  for (Index c = 0; c < calibrated.cols(); ++c) {
    const auto moments = [&](const model::Matrix& m) {
      double sum = 0, squares = 0, count = 0;
      for (Index r = 0; r < m.rows(); ++r) {
        const double x = c < readings ? m(r, c) : std::log(m(r, c) + kSmall);
        if (std::isnan(x)) continue;
        sum += x, squares += x * x, ++count;
      }
      const double mean = count > 0 ? sum / count : 0;
      return std::array{mean, count > 0 ? squares / count - mean * mean : 0, count};
    };
    const auto known = moments(calibrated), now = moments(seen);
    if (now[2] == 0 || known[1] < 1e-20) continue;
    const double errors = (now[0] - known[0]) / std::sqrt(known[1] * (1 / known[2] + 1 / now[2]));
    out[c] = c < readings ? std::abs(errors) : errors;
  }
  return out;
}

}  // namespace

std::vector<Index> blocks_of(const std::vector<std::vector<float>>& normalized, Index block) {
  std::vector<Index> out;
  const Index rows = std::ssize(normalized);
  if (block > 1) {
    const Index count = std::max(Index(1), rows / block);
    for (Index r = 0; r < rows; ++r) out.push_back(r * count / rows);
    return out;
  }
  Index first = 0;
  for (Index r = 0; r < rows; ++r) {
    if (r > 0 && distance(normalized[first], normalized[r]) >= kSame) first = r;
    out.push_back(r == 0 ? 0 : out.back() + (first == r));
  }
  return out;
}

model::Matrix block_steps(const std::vector<std::vector<float>>& steps, const std::vector<Index>& block_of) {
  const Index readings = steps.empty() ? 0 : std::ssize(steps.front());
  const Index blocks = block_of.empty() ? 0 : block_of.back() + 1;
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(blocks, 2 * readings), counts = sums;
  for (std::size_t r = 0; r < steps.size(); ++r)
    for (Index v = 0; v < readings; ++v) {
      const double s = steps[r][v];
      if (std::isnan(s)) continue;
      sums(block_of[r], v) += s;
      sums(block_of[r], readings + v) += s * s;
      counts(block_of[r], v) += 1;
    }
  model::Matrix out(blocks, 2 * readings);
  for (Index b = 0; b < blocks; ++b)
    for (Index v = 0; v < readings; ++v) {
      const double n = counts(b, v);
      out(b, v) = n > 0 ? float(sums(b, v) / n) : kNone;
      out(b, readings + v) = n > 0 ? float(std::sqrt(sums(b, readings + v) / n)) : kNone;
    }
  return out;
}

BlockComparison compare_blocks(const model::Matrix& calibrated, const model::Matrix& seen, std::uint64_t seed) {
  BlockComparison out;
  const Index readings = calibrated.cols() / 2, known = calibrated.rows(), blocks = seen.rows(), all = known + blocks;
  out.excess.assign(readings, 0);
  if (known < 2 || blocks < 1) return out;
  const auto values = pooled(calibrated, seen);
  // Columns have mean 0 over both sets, so that a sum over one set says how far the two means are apart.
  const double unit = std::sqrt(double(all) / double(blocks * known));
  const auto statistic = in_errors(values.bottomRows(blocks).colwise().sum(), unit);
  const double largest = statistic.maxCoeff();
  const auto errors = apart(calibrated, seen);
  for (Index v = 0; v < readings; ++v) out.excess[v] = std::max(errors[v], errors[readings + v]);
  out.largest = errors.maxCoeff();
  Random random(seed);
  std::vector<Index> order(all);
  std::iota(order.begin(), order.end(), 0);
  Index as_large = 0;
  for (Index e = 0; e < kExchanges; ++e) {
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(values.cols());
    for (Index k = 0; k < blocks; ++k) {
      std::swap(order[k], order[k + Index(random.below(std::uint64_t(all - k)))]);
      sums += values.row(order[k]);
    }
    // Sums in another order differ by rounding.
    as_large += in_errors(sums, unit).maxCoeff() >= largest - 1e-9;
  }
  out.p_value = double(1 + as_large) / double(1 + kExchanges);
  return out;
}

SeriesFindings check_rows(SensorCheck& check, const Calibration& calibration, const InstantReadings& own,
                          std::vector<std::vector<float>>& rows, double false_alarms,
                          const std::function<void(Index row)>& go_to) {
  const auto said = rows;
  std::vector<std::vector<float>> normalized;
  for (const auto& row : rows) own.normalize(row.data(), normalized.emplace_back(own.size()).data());
  const auto blocks = blocks_of(normalized, calibration.block);
  // Every row with these taken out; `checked` is what is left of the values.
  const auto look = [&](const std::vector<Index>& wrong, std::vector<std::vector<float>>& checked) {
    std::vector<InstantFindings> out;
    checked = said;
    for (Index r = 0; r < std::ssize(said); ++r) {
      if (go_to) go_to(r);
      out.push_back(check.check(checked[r].data(), wrong));
    }
    return out;
  };
  const auto compare = [&](const std::vector<InstantFindings>& found) {
    std::vector<std::vector<float>> steps;
    for (const auto& f : found) steps.push_back(f.steps);
    return compare_blocks(calibration.block_steps, block_steps(steps, blocks));
  };
  SeriesFindings out;
  out.rows = look({}, rows);
  if (calibration.block_steps.rows() < 2 || rows.empty()) return out;
  auto now = compare(out.rows);
  out.p_value = now.p_value;
  while (now.p_value <= false_alarms && std::ssize(out.wrong) < own.sensors() / 2) {
    std::vector<Index> order(own.size()), suspects;
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index v) { return now.excess[v]; });
    for (Index v : order) {
      const Index sensor = own.readings()[v].sensor;
      if (suspects.size() < kTried && now.excess[v] > 0 && std::ranges::find(suspects, sensor) == suspects.end())
        suspects.push_back(sensor);
    }
    std::optional<BlockComparison> best;
    std::vector<InstantFindings> best_rows;
    std::vector<std::vector<float>> best_values;
    Index taken = -1;
    for (Index sensor : suspects) {
      auto wrong = out.wrong;
      wrong.push_back(sensor);
      std::vector<std::vector<float>> checked;
      auto found = look(wrong, checked);
      const auto after = compare(found);
      if (best && after.largest >= best->largest) continue;
      best = after, best_rows = std::move(found), best_values = std::move(checked), taken = sensor;
    }
    if (taken < 0) break;
    out.wrong.push_back(taken);
    out.rows = std::move(best_rows);
    rows = std::move(best_values);
    now = *best;
  }
  // One that was doubted because of another which was found later is believed again.
  for (std::size_t k = 0; k + 1 < out.wrong.size() && now.p_value > false_alarms;) {
    auto fewer = out.wrong;
    fewer.erase(fewer.begin() + Index(k));
    std::vector<std::vector<float>> checked;
    auto found = look(fewer, checked);
    if (compare(found).p_value <= false_alarms) {
      ++k;
      continue;
    }
    out.wrong = std::move(fewer);
    out.rows = std::move(found);
    rows = std::move(checked);
  }
  return out;
}

}  // namespace fluidsplat::uncertainty

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

// In how many ways so many blocks can be chosen of both sets together.
double exchanges(Index known, Index blocks) {
  double out = 1;
  for (Index k = 1; k <= blocks; ++k) out *= double(known + k) / double(k);
  return std::round(out);
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
  // Sums in another order differ by rounding.
  const auto is_as_large = [&](const Eigen::VectorXd& sums) {
    return in_errors(sums, unit).maxCoeff() >= largest - 1e-9;
  };
  Index as_large = 0, tried = 0;
  if (exchanges(known, blocks) <= double(kExchanges)) {
    // All of them, the one that was seen included.
    std::vector<bool> is_seen(all, false);
    std::fill_n(is_seen.begin(), blocks, true);
    do {
      Eigen::VectorXd sums = Eigen::VectorXd::Zero(values.cols());
      for (Index r = 0; r < all; ++r)
        if (is_seen[r]) sums += values.row(r);
      as_large += is_as_large(sums);
      ++tried;
    } while (std::prev_permutation(is_seen.begin(), is_seen.end()));
    out.p_value = double(as_large) / double(tried);
    return out;
  }
  Random random(seed);
  std::vector<Index> order(all);
  std::iota(order.begin(), order.end(), 0);
  for (; tried < kExchanges; ++tried) {
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(values.cols());
    for (Index k = 0; k < blocks; ++k) {
      std::swap(order[k], order[k + Index(random.below(std::uint64_t(all - k)))]);
      sums += values.row(order[k]);
    }
    as_large += is_as_large(sums);
  }
  out.p_value = double(1 + as_large) / double(1 + tried);
  return out;
}

namespace {

// A series with some sensors taken out of all of its rows.
struct Taken {
  std::vector<Index> wrong;
  std::vector<InstantFindings> rows;
  std::vector<std::vector<float>> values;  // what is left
  BlockComparison compared;
};

class SeriesCheck {
 public:
  SeriesCheck(SensorCheck& check, const Calibration& calibration, const InstantReadings& own,
              const std::vector<std::vector<float>>& rows, double false_alarms,
              const std::function<void(Index row)>& go_to)
      : check_(check), own_(own), said_(rows), false_alarms_(false_alarms), go_to_(go_to) {
    std::vector<std::vector<float>> normalized;
    for (const auto& row : rows) own.normalize(row.data(), normalized.emplace_back(own.size()).data());
    blocks_ = blocks_of(normalized, calibration.block);
    // Part of a period differs from a whole one in its own way.
    is_comparable_ = calibration.block_steps.rows() >= 2 && std::ssize(rows) >= calibration.block;
  }

  SeriesFindings run() {
    auto now = take({}, is_comparable_);
    if (is_comparable_) {
      // Without readings of the past for these very silent sensors, blocks of the past say nothing of them.
      is_comparable_ = check_.knows_patterns() || out_of_most(now.rows).empty();
      now = without_wrong_in_most(std::move(now));
    }
    const double p_value = now.compared.p_value;
    while (is_comparable_ && is_wrong(now) && std::ssize(now.wrong) < own_.sensors() / 2)
      if (!take_one_more(now)) break;
    // One that was doubted because of another which was found later is believed again, unless most rows doubt it still.
    for (std::size_t k = 0; k + 1 < now.wrong.size() && !is_wrong(now);) {
      auto fewer = now.wrong;
      fewer.erase(fewer.begin() + Index(k));
      if (auto without = take(fewer, true); is_wrong(without) || !more_wrong_in_most(without).empty())
        ++k;
      else
        now = std::move(without);
    }
    left_ = std::move(now.values);
    return {std::move(now.rows), std::move(now.wrong), p_value};
  }
  std::vector<std::vector<float>> left() && { return std::move(left_); }

 private:
  bool is_wrong(const Taken& now) const { return now.compared.p_value <= false_alarms_; }

  Taken take(std::vector<Index> wrong, bool is_compared) {
    Taken out{std::move(wrong), {}, said_, {}};
    for (Index r = 0; r < std::ssize(said_); ++r) {
      if (go_to_) go_to_(r);
      out.rows.push_back(check_.check(out.values[r].data(), out.wrong));
    }
    if (is_compared) out.compared = compare(out.rows);
    return out;
  }

  // Sensors for which `holds(finding)` in more than half of the rows.
  template <class Holds>
  std::vector<Index> in_most(const std::vector<InstantFindings>& rows, const Holds& holds) const {
    std::vector<Index> out;
    for (Index i = 0; i < own_.sensors(); ++i)
      if (2 * std::ranges::count_if(rows, [&](const auto& r) { return holds(r.sensors[i]); }) > std::ssize(rows))
        out.push_back(i);
    return out;
  }
  std::vector<Index> out_of_most(const std::vector<InstantFindings>& rows) const {
    return in_most(rows, [](const SensorFinding& f) { return f.is_ignored(); });
  }
  // Sensors that are still believed where a row does not show them, and are wrong in most rows.
  std::vector<Index> more_wrong_in_most(const Taken& now) const {
    auto out = in_most(now.rows, [](const SensorFinding& f) {
      return f.state == SensorState::disagrees || f.state == SensorState::swapped;
    });
    std::erase_if(out, [&](Index i) { return std::ranges::find(now.wrong, i) != now.wrong.end(); });
    return out;
  }
  // What is wrong in most rows is taken out of all, until there are no more; half of the sensors at most.
  Taken without_wrong_in_most(Taken now) {
    for (;;) {
      auto wrong = now.wrong;
      for (Index i : more_wrong_in_most(now))
        if (std::ssize(wrong) < own_.sensors() / 2) wrong.push_back(i);
      if (wrong.size() == now.wrong.size()) return now;
      now = take(std::move(wrong), true);
    }
  }

  // Blocks of the series and of the past with the same sensors out: those that are out of most rows.  Rows in which
  // others are out as well have no part in it.
  BlockComparison compare(const std::vector<InstantFindings>& rows) {
    const auto out = out_of_most(rows);
    std::vector<std::vector<float>> steps;
    const model::Matrix* past = nullptr;
    for (Index r = 0; r < std::ssize(rows); ++r) {
      Index others = rows[r].ignored;
      for (Index i : out) others -= rows[r].sensors[i].is_ignored();
      if (others > 0) {
        steps.emplace_back(own_.size(), kNone);
        continue;
      }
      if (go_to_) go_to_(r);
      auto compared = check_.compare_without(out, said_[r].data());
      steps.push_back(std::move(compared.steps));
      past = compared.block_steps;
    }
    if (!past) return {.excess = std::vector<double>(own_.size(), 0.0)};
    const auto seen = block_steps(steps, blocks_);
    std::vector<Index> heard;
    for (Index b = 0; b < seen.rows(); ++b)
      if (!seen.row(b).array().isNaN().all()) heard.push_back(b);
    return compare_blocks(*past, seen(heard, Eigen::all));
  }

  // Takes out that one without which the rest fit best; false when there is none to doubt.
  bool take_one_more(Taken& now) {
    std::vector<Index> order(own_.size()), suspects;
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index v) { return now.compared.excess[v]; });
    for (Index v : order) {
      const Index sensor = own_.readings()[v].sensor;
      if (suspects.size() < kTried && now.compared.excess[v] > 0 &&
          std::ranges::find(suspects, sensor) == suspects.end())
        suspects.push_back(sensor);
    }
    std::optional<Taken> best;
    for (Index sensor : suspects) {
      auto wrong = now.wrong;
      wrong.push_back(sensor);
      auto after = take(wrong, true);
      if (!best || after.compared.largest < best->compared.largest) best = std::move(after);
    }
    if (!best) return false;
    // Others may show now that it is out.
    now = without_wrong_in_most(std::move(*best));
    return true;
  }

  SensorCheck& check_;
  const InstantReadings& own_;
  const std::vector<std::vector<float>>& said_;
  double false_alarms_;
  const std::function<void(Index row)>& go_to_;
  std::vector<Index> blocks_;
  bool is_comparable_ = false;
  std::vector<std::vector<float>> left_;
};

}  // namespace

SeriesFindings check_rows(SensorCheck& check, const Calibration& calibration, const InstantReadings& own,
                          std::vector<std::vector<float>>& rows, double false_alarms,
                          const std::function<void(Index row)>& go_to) {
  SeriesCheck series(check, calibration, own, rows, false_alarms, go_to);
  auto out = series.run();
  rows = std::move(series).left();
  return out;
}

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/metrics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "field/surface_view.h"

namespace fluidsplat::field {
namespace {

// A field that is zero everywhere has no relative error: report the root mean square of the `count` differences instead
// of infinity.
double ratio(double difference, double reference, double count) {
  return std::sqrt(difference / (reference > 0 ? reference : std::max(count, 1.0)));
}

// The sum of squares of each channel.
std::vector<double> squares(const Matrix& fields) {
  std::vector<double> out;
  for (Index c = 0; c < fields.cols(); ++c) out.push_back(fields.col(c).cast<double>().squaredNorm());
  return out;
}

// Relative to a sum of squares per channel.
CaseError compare(const Matrix& prediction, const Matrix& truth, const std::vector<double>& reference) {
  assert(prediction.rows() == truth.rows() && prediction.cols() == truth.cols());
  CaseError out;
  double difference_sum = 0, reference_sum = 0;
  for (Index c = 0; c < truth.cols(); ++c) {
    const Eigen::VectorXd difference = (prediction.col(c) - truth.col(c)).cast<double>();
    const double squared = difference.squaredNorm();
    out.channel_l2.push_back(ratio(squared, reference[c], double(truth.rows())));
    out.channel_max.push_back(difference.cwiseAbs().maxCoeff());
    difference_sum += squared;
    reference_sum += reference[c];
  }
  out.relative_l2 = ratio(difference_sum, reference_sum, double(truth.size()));
  out.max_error = *std::max_element(out.channel_max.begin(), out.channel_max.end());
  return out;
}

}  // namespace

CaseError compare(const Matrix& prediction, const Matrix& truth) {
  return compare(prediction, truth, squares(truth));
}

CaseError compare_deviation(const Matrix& prediction, const Matrix& truth, const Matrix& mean) {
  auto reference = squares(truth - mean);
  // Of a channel that does not vary only round-off deviates: it is judged by its size.
  const auto size = squares(truth);
  for (std::size_t c = 0; c < reference.size(); ++c)
    if (reference[c] < 1e-10 * size[c]) reference[c] = size[c];
  return compare(prediction, truth, reference);
}

CaseError compare_surface(const Matrix& prediction, const Case& truth) {
  const Matrix on_wall = SurfaceView(*truth.mesh).fields(truth);
  auto reference = squares(on_wall);
  const auto everywhere = squares(truth.fields);
  for (std::size_t c = 0; c < reference.size(); ++c)
    if (reference[c] == 0) reference[c] = everywhere[c] * double(on_wall.rows()) / double(truth.fields.rows());
  return compare(prediction, on_wall, reference);
}

double sensor_consistency(const Matrix& prediction, const SensorReadings& readings) {
  double difference = 0, reference = 0, count = 0;
  for (Index i = 0; i < readings.values.rows(); ++i)
    for (Index c = 0; c < readings.values.cols(); ++c) {
      const double y = readings.values(i, c);
      if (std::isnan(y)) continue;
      difference += (prediction(i, c) - y) * (prediction(i, c) - y);
      reference += y * y;
      ++count;
    }
  return ratio(difference, reference, count);
}

ErrorSummary summarize(const std::vector<CaseError>& errors, const std::vector<double>& consistency) {
  ErrorSummary out;
  out.cases = std::ssize(errors);
  if (errors.empty()) return out;
  const double n = double(errors.size());
  out.channel_l2.assign(errors.front().channel_l2.size(), 0);
  out.channel_max.assign(errors.front().channel_max.size(), 0);
  for (const auto& e : errors) {
    out.relative_l2 += e.relative_l2 / n;
    out.relative_l2_worst = std::max(out.relative_l2_worst, e.relative_l2);
    out.max_error = std::max(out.max_error, e.max_error);
    for (std::size_t c = 0; c < e.channel_l2.size(); ++c) {
      out.channel_l2[c] += e.channel_l2[c] / n;
      out.channel_max[c] = std::max(out.channel_max[c], e.channel_max[c]);
    }
  }
  for (double c : consistency) out.sensor_consistency += c / double(consistency.size());
  return out;
}

}  // namespace fluidsplat::field

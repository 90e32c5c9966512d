// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/local_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/misuse.h"

namespace fluidsplat::uncertainty {

LocalScale::LocalScale(std::vector<float> everywhere) : everywhere_(std::move(everywhere)) {
  for (float s : everywhere_)
    if (!(s > 0) || !std::isfinite(s)) misuse("a local scale of {}", s);
}

LocalScale::LocalScale(model::Matrix places, model::Matrix logarithms) {
  for (Index c = 0; c < logarithms.cols(); ++c) everywhere_.push_back(std::exp(logarithms.col(c).mean()));
  places_ = std::make_shared<const model::BaseField>(std::move(places), std::move(logarithms));
}

void LocalScale::evaluate(const float* positions, Index count, float* scales) const {
  const Index c = channels();
  if (!places_) {
    for (Index i = 0; i < count * c; ++i) scales[i] = everywhere_[i % c];
    return;
  }
  places_->evaluate(positions, count, scales);
  // Far from all places a linear fit may go anywhere: not beyond what is known.
  const auto& known = places_->values();
  for (Index k = 0; k < c; ++k) {
    const float low = known.col(k).minCoeff(), high = known.col(k).maxCoeff();
    for (Index i = 0; i < count; ++i) scales[i * c + k] = std::exp(std::clamp(scales[i * c + k], low, high));
  }
}

model::Matrix LocalScale::at(const model::Matrix& points) const {
  model::Matrix out(points.rows(), channels());
  // At its own points, looked up and not searched for.
  if (places_ && points.rows() <= places_->points().rows() &&
      (points.array() == places_->points().topRows(points.rows()).array()).all())
    out = places_->values().topRows(points.rows()).array().exp();
  else
    evaluate(points.data(), points.rows(), out.data());
  return out;
}

double ReadingDistance::distance(const float* readings) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (Index t = 0; t < training.rows(); ++t) {
    double sum = 0;
    Index count = 0;
    for (Index v = 0; v < training.cols(); ++v) {
      if (std::isnan(readings[v])) continue;
      const double difference = double(readings[v]) - double(training(t, v));
      sum += difference * difference;
      ++count;
    }
    nearest = std::min(nearest, count > 0 ? sum / double(count) : 0.0);
  }
  return training.rows() > 0 ? std::sqrt(nearest) : 0;
}

double ReadingDistance::factor(const float* readings) const {
  if (training.rows() == 0) return 1;
  const double steps = distance(readings) / floor;
  return std::pow(1 + steps * steps, power / 2);
}

}  // namespace fluidsplat::uncertainty

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/rivals.h"

#include <algorithm>

namespace fluidsplat::calibrate {

void Rivals::add(Index k, const SeenCase& seen, const Yardstick& own, const std::vector<float>& readings, Index points,
                 std::uint64_t seed) {
  const auto one = Yardstick::plain(field::Matrix::Ones(seen.errors.rows(), seen.errors.cols()));
  constant.cases[k] = scaled_errors(seen, one, points, seed);
  if (!posterior) return;
  Eigen::RowVectorXd z(std::ssize(readings));
  std::ranges::copy(readings, z.data());
  const auto answer = posterior->at(z);
  const field::Matrix errors = posterior->at_points(seen.truth.fields) - answer.field;
  our_squares += posterior->at_points(seen.errors).squaredNorm();
  their_squares += errors.squaredNorm();
  auto& out = of_posterior.cases[k];
  out.rms = constant.cases[k].rms;
  out.functionals.assign(seen.functionals.size(), std::numeric_limits<float>::quiet_NaN());
  const auto regions = regions_of(*seen.truth.mesh);
  for (Index i : posterior->points()) {
    out.region.push_back(regions[i]);
    out.place_class.push_back(own.classes[i]);
  }
  for (Index c = 0; c < errors.cols(); ++c) {
    auto& mean_scale = out.mean_scale.emplace_back(own.class_count);
    for (Index i = 0; i < errors.rows(); ++i)
      mean_scale[out.place_class[i]] += double(answer.deviation(i, c)) / double(errors.rows());
    const Eigen::VectorXf scaled = errors.col(c).cwiseQuotient(answer.deviation.col(c));
    out.pointwise.emplace_back(scaled.begin(), scaled.end());
    out.largest.push_back({scaled.cwiseAbs().maxCoeff(), scaled.maxCoeff(), -scaled.minCoeff()});
  }
}

}  // namespace fluidsplat::calibrate

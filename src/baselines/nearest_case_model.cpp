// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/nearest_case_model.h"

#include "base/error.h"

namespace fluidsplat::baselines {
namespace {

// More than this in a model file is no longer a model.
constexpr double kLargest = 8e9;

}  // namespace

void NearestCaseModel::fit_deviations(const Fitting& f) {
  if (double(f.deviations.count) * double(f.deviations.length) * sizeof(float) > kLargest)
    fail("{}: {} training cases of {} values are too many to keep; model.kind = pod keeps what they have in common",
         f.data.dataset.name(), f.deviations.count, f.deviations.length);
  auto fields = torch::empty({f.deviations.count, f.deviations.length});
  for (Index t = 0; t < f.deviations.count; ++t)
    std::copy_n(f.deviations.load(t), f.deviations.length, fields.data_ptr<float>() + t * f.deviations.length);
  set_matrix("fields", fields);
  const bool known = sensors().identity() != KnownSensors::Identity::kNone;
  Eigen::MatrixXd readings(std::ssize(f.said), known ? sensors().size() : 0);
  for (Index t = 0; known && t < readings.rows(); ++t) readings.row(t) = f.said[t].readings.transpose();
  set_matrix("readings", readings);
}

void NearestCaseModel::prepare(const std::string& where) {
  const auto fields = matrix("fields"), readings = matrix("readings");
  const bool known = sensors().identity() != KnownSensors::Identity::kNone;
  if (fields.size(0) < 1 || fields.size(1) != carrier().size() * channels() || readings.size(0) != fields.size(0) ||
      readings.size(1) != (known ? sensors().size() : 0))
    fail("{}: the sizes of fields and readings do not fit each other; the file is damaged", where);
  readings_ = as_doubles("readings");
}

Index NearestCaseModel::nearest(const Said& said) const {
  Index best = 0;
  if (sensors().identity() != KnownSensors::Identity::kNone) {
    const Eigen::MatrixXd known = readings_(Eigen::all, said.sensors);
    (known.rowwise() - said.readings.transpose()).rowwise().squaredNorm().minCoeff(&best);
  } else {
    const Eigen::MatrixXd there = at_sensors(matrix("fields"), said);
    (there.colwise() - deviations_at_sensors(said)).colwise().squaredNorm().minCoeff(&best);
  }
  return best;
}

torch::Tensor NearestCaseModel::deviation(const Said& said, const Place& place) {
  return carrier().look_up(matrix("fields").narrow(0, nearest(said), 1), channels(), place.positions, place.points)[0];
}

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>

#include "classical/pod_basis.h"
#include "classical/reading_map.h"
#include "field/dataset.h"

namespace fluidsplat::calibrate {

// What bands are compared with: POD coefficients of the training cases by Gaussian-process regression on the readings,
// at some points of the one mesh that all cases share.  The field's posterior variance is that of the coefficients
// through the modes, and what the modes leave of the training cases.
class PosteriorOfModes {
 public:
  // `readings` [T, V] are those of the training cases, `noise` what readings that are asked about will have, in the
  // same units.
  PosteriorOfModes(const field::Dataset& dataset, std::vector<Index> points, const std::vector<Index>& training,
                   Eigen::MatrixXd readings, double noise = 0);

  struct Answer {
    field::Matrix field, deviation;  // [points, C]
  };
  Answer at(const Eigen::RowVectorXd& readings) const;
  field::Matrix at_points(const field::Matrix& fields) const { return fields(points_, Eigen::all); }
  const std::vector<Index>& points() const { return points_; }

 private:
  std::vector<Index> points_;
  Eigen::MatrixXd readings_;
  Index channels_ = 0;
  classical::PodBasis pod_;
  classical::KernelSettings settings_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd weights_;
  Eigen::VectorXd through_modes_, left_;
};

}  // namespace fluidsplat::calibrate

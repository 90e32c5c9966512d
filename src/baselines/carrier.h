// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "learn/model/model.h"
#include "model/scattered_interpolation.h"

namespace fluidsplat::baselines {

// Where a method that combines training cases keeps their fields: at the points of the one mesh that all share (those
// of a separate wall follow), or, where meshes differ, at the nodes of a regular grid over the domain, which has about
// as many nodes as a case has points.  Between these places fields are interpolated by moving least squares.
//
// Places are in the unit box times `aspect`, so that distances are those of space.
class Carrier {
 public:
  static Carrier of(const learn::TrainingData& data);
  // From what a model file keeps: [P, d] and [1, d].
  Carrier(torch::Tensor places, torch::Tensor aspect);

  Index size() const { return points_->rows(); }
  // Known while a model is fitted.
  bool is_mesh() const { return is_mesh_; }
  const torch::Tensor& places() const { return places_; }
  const torch::Tensor& aspect() const { return aspect_; }

  // The normalised fields of a case at the places, [P, C].
  model::Matrix carry(const learn::TrainingData& data, Index case_index) const;

  // Fields [F, P * C], row by row, at positions in the unit box, [Q, d]: [F, Q, C].  `points`, [Q], are the positions'
  // numbers on their mesh, which may be this one; undefined when they are on none.
  torch::Tensor look_up(const torch::Tensor& fields, Index channels, const torch::Tensor& positions,
                        const torch::Tensor& points = {}) const;
  // Positions in the unit box, [Q, d], as distances know them.
  torch::Tensor in_space(const torch::Tensor& positions) const { return positions * aspect_; }

 private:
  bool are_places(const torch::Tensor& in_space, const torch::Tensor& points) const;

  bool is_mesh_ = false;
  torch::Tensor places_, aspect_;
  std::unique_ptr<model::Matrix> points_;
  std::unique_ptr<model::ScatteredInterpolation> interpolation_;
};

}  // namespace fluidsplat::baselines

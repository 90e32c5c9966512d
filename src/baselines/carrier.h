// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

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

  // The points of a mesh as places in the same space.
  Carrier on_mesh(const learn::TrainingData& data, const field::Mesh& mesh) const;
  // The normalised fields of a case at the places, [P, C]; `own` has those of its mesh.
  model::Matrix carry(const learn::TrainingData& data, Index case_index, const Carrier& own) const;

  // Fields [F, P * C], row by row, at positions in the unit box, [Q, d]: [F, Q, C].  `points`, [Q], are the positions'
  // numbers on their mesh, which may be this one; undefined when they are on none.
  torch::Tensor look_up(const torch::Tensor& fields, Index channels, const torch::Tensor& positions,
                        const torch::Tensor& points = {}) const;
  // The sum of these fields with amounts [1, F] there: [Q, C].
  torch::Tensor look_up_sum(const torch::Tensor& amounts, const torch::Tensor& fields, Index channels,
                            const torch::Tensor& positions, const torch::Tensor& points = {}) const;
  // Positions in the unit box, [Q, d], as distances know them.
  torch::Tensor in_space(const torch::Tensor& positions) const { return positions * aspect_; }

 private:
  // The places around positions, and how much each counts.
  struct Neighbours {
    torch::Tensor positions;           // in space
    std::vector<Index> first = {0};    // of each position, and the end
    std::vector<std::uint32_t> place;  // of all positions, one after another
    std::vector<float> weight;
  };
  // Those of many positions, which take long to find.  The last ones are kept: cases and conditions on one mesh ask for
  // the same again.
  struct LastNeighbours {
    std::mutex mutex;
    std::shared_ptr<const Neighbours> found;
  };
  bool are_places(const torch::Tensor& in_space, const torch::Tensor& points) const;
  std::shared_ptr<const Neighbours> neighbours(const torch::Tensor& in_space) const;

  bool is_mesh_ = false;
  torch::Tensor places_, aspect_;
  std::unique_ptr<model::Matrix> points_;
  std::unique_ptr<model::ScatteredInterpolation> interpolation_;
  std::unique_ptr<LastNeighbours> last_ = std::make_unique<LastNeighbours>();
};

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// What can be said of a case before any sensor speaks: the mean of other cases, point by point where at least two of
// them share its mesh, else one number per channel.
class MeanField {
 public:
  // Reads each of the cases.
  MeanField(const Dataset& dataset, const std::vector<Index>& cases);
  // [points of the mesh, C]
  Matrix on(Index mesh_index, const Mesh& mesh) const;

 private:
  Eigen::RowVectorXf channels_;
  std::map<Index, Matrix> of_mesh_;
};

// The mean of cases that share one mesh at each of its places, [places, C].  Throws Error when they do not.
Matrix mean_at_places(const Dataset& dataset, const std::vector<Index>& cases);

}  // namespace fluidsplat::field

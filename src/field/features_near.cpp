// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/features_near.h"

#include "field/all_places.h"

namespace fluidsplat::field {

Matrix features_near(const Mesh& mesh, const Matrix& positions) {
  Matrix out(positions.rows(), mesh.features.cols());
  if (out.cols() == 0) return out;
  const auto places = all_places(mesh);
  for (Index i = 0; i < positions.rows(); ++i) {
    Index nearest = 0;
    (places.rowwise() - positions.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    out.row(i) = mesh.features_at(nearest);
  }
  return out;
}

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "field/dataset.h"

namespace fluidsplat::field {

// A case's values at some of its mesh's places, [places, C].
inline Matrix fields_at(const Case& c, std::span<const Index> places) {
  Matrix out(std::ssize(places), c.fields.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = c.values(places[i]);
  return out;
}

// The same of its mesh.
inline MeshPart points_at(const Mesh& mesh, std::span<const Index> places) {
  const auto count = std::ssize(places);
  MeshPart out{Matrix(count, mesh.points.cols()), Matrix(count, mesh.features.cols()), {}};
  for (Index i = 0; i < count; ++i) {
    out.positions.row(i) = mesh.position(places[i]);
    if (mesh.features.cols() > 0) out.features.row(i) = mesh.features_at(places[i]);
  }
  return out;
}

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/all_places.h"

namespace fluidsplat::field {
namespace {

Matrix stacked(const Matrix& above, const Matrix& below) {
  if (below.rows() == 0) return above;
  Matrix out(above.rows() + below.rows(), above.cols());
  out << above, below;
  return out;
}

}  // namespace

Matrix all_places(const Mesh& mesh) {
  return mesh.wall ? stacked(mesh.points, mesh.wall->points) : mesh.points;
}

Matrix fields_at_places(const Case& c) {
  return stacked(c.fields, c.wall_fields);
}

}  // namespace fluidsplat::field

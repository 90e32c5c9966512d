// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What a dataset that can do no better makes of whole cases and meshes.
#include <algorithm>

#include "field/dataset.h"
#include "field/fields_at.h"
#include "field/mesh_contents.h"

namespace fluidsplat::field {

MeshOutline Dataset::outline(Index mesh_index) const {
  const auto m = mesh(mesh_index);
  return {m->size(), m->places() - m->size(), m->grid_shape, bytes_of(*m)};
}

MeshPart Dataset::points_in(Index mesh_index, Index first, Index count) const {
  const auto m = mesh(mesh_index);
  MeshPart out{m->points.middleRows(first, count), m->features.middleRows(first, count), {}};
  if (m->is_grid()) out.cells.assign(m->grid_cell.begin() + first, m->grid_cell.begin() + first + count);
  return out;
}

MeshPart Dataset::points_at(Index mesh_index, std::span<const Index> places) const {
  return field::points_at(*mesh(mesh_index), places);
}

Matrix Dataset::values_in(Index index, Index first, Index count) const {
  return load(index).fields.middleRows(first, count);
}

Matrix Dataset::values_at(Index index, std::span<const Index> places) const {
  return fields_at(load(index), places);
}

Case Dataset::without_fields(Index index) const {
  auto c = load(index);
  c.mesh.reset();
  c.fields.resize(0, c.fields.cols());
  c.wall_fields.resize(0, c.wall_fields.cols());
  return c;
}

void in_parts(Index points, const std::function<void(Index first, Index count)>& visit) {
  constexpr Index kPart = Index{1} << 18;
  for (Index first = 0; first < points; first += kPart) visit(first, std::min(kPart, points - first));
}

}  // namespace fluidsplat::field

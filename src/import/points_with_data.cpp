// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/points_with_data.h"

#include <algorithm>
#include <cmath>

#include "import/grid_wall.h"

namespace fluidsplat::importing {

std::vector<bool> has_data(const field::Case& c) {
  std::vector<bool> out(c.fields.rows());
  for (Index i = 0; i < c.fields.rows(); ++i)
    out[i] = c.fields.row(i).allFinite() && c.mesh->points.row(i).allFinite() && c.mesh->features.row(i).allFinite();
  return out;
}

KeptMesh keep_points(const std::shared_ptr<const field::Mesh>& shared, const std::vector<bool>& keep,
                     bool derive_wall) {
  const field::Mesh& full = *shared;
  KeptMesh out;
  auto mesh = std::make_shared<field::Mesh>();
  std::vector<Index> new_index(keep.size(), -1);
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (!keep[i]) continue;
    new_index[i] = std::ssize(out.rows);
    out.rows.push_back(i);
  }
  const auto n = std::ssize(out.rows);
  if (n == full.size()) {  // nothing to leave out, and so no wall to find
    out.mesh = shared;
    return out;
  }
  mesh->points.resize(n, full.points.cols());
  mesh->features.resize(n, full.features.cols());
  for (Index i = 0; i < n; ++i) {
    mesh->points.row(i) = full.points.row(out.rows[i]);
    mesh->features.row(i) = full.features.row(out.rows[i]);
  }
  mesh->grid_shape = full.grid_shape;
  if (full.is_grid())
    for (auto row : out.rows) mesh->grid_cell.push_back(full.grid_cell[row]);
  std::vector<Index> wall_rows;
  for (std::size_t s = 0; s < full.surface.size(); ++s)
    if (const auto i = new_index[full.surface[s]]; i >= 0) {
      mesh->surface.push_back(i);
      wall_rows.push_back(s);
    }
  if (full.normals.size() > 0) {
    mesh->normals.resize(std::ssize(wall_rows), full.normals.cols());
    for (std::size_t s = 0; s < wall_rows.size(); ++s) mesh->normals.row(s) = full.normals.row(wall_rows[s]);
  }
  for (auto row : wall_rows)
    if (!full.areas.empty()) mesh->areas.push_back(full.areas[row]);
  mesh->wall = full.wall;
  if (derive_wall && !mesh->wall && mesh->is_grid() && n > 0) derive_grid_wall(*mesh);
  out.mesh = mesh;
  return out;
}

}  // namespace fluidsplat::importing

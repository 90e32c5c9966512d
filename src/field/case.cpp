// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/case.h"

#include <cmath>
#include <numeric>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

void check_finite(const Matrix& values, const std::vector<Column>& columns, const char* what,
                  const std::string& where) {
  for (Index r = 0; r < values.rows(); ++r)
    for (Index c = 0; c < values.cols(); ++c)
      if (!std::isfinite(values(r, c)))
        fail("{}: {} \"{}\" is not finite at point {}; leave points without data out of the case", where, what,
             columns[c].name, r);
}

void check_reference(const Reference& reference, int dim, const std::string& where) {
  for (double value : {reference.speed, reference.density})
    if (!(value >= 0) || !std::isfinite(value))
      fail("{}: the free stream's speed and density are {} and {}, expected numbers of 0 (unknown) or more", where,
           reference.speed, reference.density);
  if (reference.direction.empty()) return;
  double square = 0;
  for (double x : reference.direction) square += x * x;
  if (int(reference.direction.size()) != dim || !(square > 0) || !std::isfinite(square))
    fail("{}: the free stream's direction ({}) is none in {} coordinates", where, fmt::join(reference.direction, ", "),
         dim);
}

void check_wall(const Mesh& mesh, const Schema& schema, const std::string& where) {
  const Mesh& wall = *mesh.wall;
  if (!mesh.surface.empty() || mesh.normals.size() > 0 || !mesh.areas.empty())
    fail("{}: has wall points among its points and a wall of its own besides; keep one of the two", where);
  if (wall.is_grid() || wall.wall) fail("{}: the wall must be a plain set of points", where);
  for (Index s = 0; s < wall.size(); ++s)
    if (std::ssize(wall.surface) != wall.size() || wall.surface[s] != s)
      fail("{}: the wall must list each of its {} points, in order, as on the wall", where, wall.size());
  check_mesh(wall, schema, where + ", wall");
}

}  // namespace

std::shared_ptr<const Mesh> make_wall(Matrix points, Matrix features, Matrix normals, std::vector<double> areas) {
  auto wall = std::make_shared<Mesh>();
  wall->points = std::move(points);
  wall->features = std::move(features);
  wall->surface.resize(wall->size());
  std::iota(wall->surface.begin(), wall->surface.end(), 0);
  wall->normals = std::move(normals);
  wall->areas = std::move(areas);
  return wall;
}

void check_mesh(const Mesh& mesh, const Schema& schema, const std::string& where) {
  const auto n = mesh.points.rows();
  if (n == 0) fail("{}: no points", where);
  if (mesh.points.cols() != schema.dim())
    fail("{}: points have {} coordinates, the dataset has {}", where, mesh.points.cols(), schema.dim());
  check_finite(mesh.points, schema.coordinates, "coordinate", where);
  const auto features = std::ssize(schema.features);
  if (mesh.features.cols() != features || (features > 0 && mesh.features.rows() != n))
    fail("{}: features are {} x {}, expected {} x {}", where, mesh.features.rows(), mesh.features.cols(), n, features);
  check_finite(mesh.features, schema.features, "feature", where);

  if (mesh.is_grid()) {
    Index cells = 1;
    for (auto extent : mesh.grid_shape) {
      if (extent < 1 || cells > (Index{1} << 40) / extent) fail("{}: grid shape is not usable", where);
      cells *= extent;
    }
    if (std::ssize(mesh.grid_cell) != n) fail("{}: {} grid cells for {} points", where, mesh.grid_cell.size(), n);
    for (auto cell : mesh.grid_cell)
      if (cell < 0 || cell >= cells) fail("{}: grid cell {} is outside the grid of {} cells", where, cell, cells);
  }
  for (auto index : mesh.surface)
    if (index < 0 || index >= n) fail("{}: surface point {} is outside the mesh of {} points", where, index, n);
  if (mesh.normals.size() > 0 &&
      (mesh.normals.rows() != std::ssize(mesh.surface) || mesh.normals.cols() != mesh.points.cols()))
    fail("{}: normals are {} x {}, expected {} x {}", where, mesh.normals.rows(), mesh.normals.cols(),
         mesh.surface.size(), mesh.points.cols());
  if (!mesh.areas.empty() && mesh.areas.size() != mesh.surface.size())
    fail("{}: {} wall areas for {} wall points", where, mesh.areas.size(), mesh.surface.size());
  if (mesh.wall) check_wall(mesh, schema, where);
}

void check_case(const Case& c, const Schema& schema, const std::string& where) {
  const auto channels = std::ssize(schema.channels);
  if (!c.mesh) fail("{}: no mesh", where);
  if (c.fields.rows() != c.mesh->size() || c.fields.cols() != channels)
    fail("{}: fields are {} x {}, expected {} points x {} channels", where, c.fields.rows(), c.fields.cols(),
         c.mesh->size(), channels);
  check_finite(c.fields, schema.channels, "channel", where);
  const auto wall_points = c.mesh->wall ? c.mesh->wall->size() : 0;
  if (c.wall_fields.rows() != wall_points || (wall_points > 0 && c.wall_fields.cols() != channels))
    fail("{}: fields on the wall are {} x {}, expected {} points of a separate wall x {} channels", where,
         c.wall_fields.rows(), c.wall_fields.cols(), wall_points, channels);
  check_finite(c.wall_fields, schema.channels, "channel", where + ", wall");
  if (c.descriptors.size() != std::ssize(schema.descriptors))
    fail("{}: {} descriptors, expected {}", where, c.descriptors.size(), schema.descriptors.size());
  for (Index i = 0; i < c.descriptors.size(); ++i)
    if (!std::isfinite(c.descriptors[i]))
      fail("{}: descriptor \"{}\" is not finite", where, schema.descriptors[i].name);
  check_reference(c.reference, schema.dim(), where);
}

}  // namespace fluidsplat::field

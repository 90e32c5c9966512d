// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/without_features.h"

namespace fluidsplat::field {
namespace {

MeshPart bare_part(MeshPart part) {
  part.features.resize(part.positions.rows(), 0);
  return part;
}

}  // namespace

WithoutFeatures::WithoutFeatures(const Dataset& dataset)
    : DatasetView(dataset), schema_(dataset.schema()), bare_(dataset.mesh_count()) {
  schema_.features.clear();
}

std::shared_ptr<const Mesh> WithoutFeatures::bare(Index mesh_index, const Mesh& mesh) const {
  const std::scoped_lock lock(mutex_);
  auto& known = bare_.at(std::size_t(mesh_index));
  if (auto kept = known.lock()) return kept;
  auto out = std::make_shared<Mesh>(mesh);
  out->features.resize(mesh.size(), 0);
  if (mesh.wall)
    out->wall = make_wall(mesh.wall->points, Matrix(mesh.wall->size(), 0), mesh.wall->normals, mesh.wall->areas);
  known = out;
  return out;
}

Case WithoutFeatures::load(Index index) const {
  auto c = inner().load(index);
  c.mesh = bare(inner().mesh_of(index), *c.mesh);
  return c;
}

std::shared_ptr<const Mesh> WithoutFeatures::mesh(Index mesh_index) const {
  return bare(mesh_index, *inner().mesh(mesh_index));
}

MeshPart WithoutFeatures::points_in(Index mesh_index, Index first, Index count) const {
  return bare_part(inner().points_in(mesh_index, first, count));
}

MeshPart WithoutFeatures::points_at(Index mesh_index, std::span<const Index> places) const {
  return bare_part(inner().points_at(mesh_index, places));
}

}  // namespace fluidsplat::field

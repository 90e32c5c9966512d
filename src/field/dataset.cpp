// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset.h"

#include <algorithm>

#include "base/error.h"
#include "field/fields_at.h"
#include "field/split.h"

namespace fluidsplat::field {

Split Dataset::named_split(const std::string& name) const {
  fail("{}: came without splits of its own, \"{}\" among them", this->name(), name);
}

void enclose(Box& box, const Mesh& mesh) {
  const std::size_t dim = mesh.points.cols();
  box.low.resize(dim, std::numeric_limits<double>::infinity());
  box.high.resize(dim, -std::numeric_limits<double>::infinity());
  for (std::size_t a = 0; a < dim; ++a) {
    const auto column = mesh.points.col(a);
    box.low[a] = std::min(box.low[a], double(column.minCoeff()));
    box.high[a] = std::max(box.high[a], double(column.maxCoeff()));
  }
  if (mesh.wall) enclose(box, *mesh.wall);
}

Box bounding_box(const std::vector<std::shared_ptr<const Mesh>>& meshes) {
  Box box;
  for (const auto& mesh : meshes) enclose(box, *mesh);
  return box;
}

MemoryDataset::MemoryDataset(Schema schema, std::string name) : schema_(std::move(schema)), name_(std::move(name)) {}

void MemoryDataset::add(Case c) {
  const std::string where = name_ + ", case " + std::to_string(cases_.size());
  auto it = std::find(meshes_.begin(), meshes_.end(), c.mesh);
  if (it == meshes_.end()) {
    if (c.mesh) check_mesh(*c.mesh, schema_, where);
    meshes_.push_back(c.mesh);
    it = std::prev(meshes_.end());
  }
  check_case(c, schema_, where);
  mesh_of_.push_back(it - meshes_.begin());
  cases_.push_back(std::move(c));
}

Case MemoryDataset::load(Index index) const {
  return cases_.at(index);
}

Index MemoryDataset::mesh_of(Index index) const {
  return mesh_of_.at(index);
}

std::shared_ptr<const Mesh> MemoryDataset::mesh(Index mesh_index) const {
  return meshes_.at(mesh_index);
}

Matrix MemoryDataset::values_in(Index index, Index first, Index count) const {
  return cases_.at(index).fields.middleRows(first, count);
}

Matrix MemoryDataset::values_at(Index index, std::span<const Index> places) const {
  return fields_at(cases_.at(index), places);
}

Case MemoryDataset::without_fields(Index index) const {
  const auto& c = cases_.at(index);
  Case out;
  out.name = c.name;
  out.time = c.time;
  out.descriptors = c.descriptors;
  out.reference = c.reference;
  return out;
}

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"

namespace fluidsplat::field {

// The points of a mesh to look through, whether it is in memory or in a dataset, where it may be larger than memory.
// What it is made of must outlive it.
class PointSource {
 public:
  // Not explicit: what looks through points can be given a mesh.
  PointSource(const Mesh& mesh);
  PointSource(const Dataset& dataset, Index mesh_number);

  const MeshOutline& outline() const { return outline_; }
  // Where some places (Mesh::position) are.
  Matrix positions(std::span<const Index> places) const;
  // Every point once, in parts: `first` is the number of a part's first point.
  void visit(const std::function<void(Index first, const MeshPart& part)>& look) const;
  // For what cannot do with parts.
  const Mesh& whole() const;

 private:
  const Mesh* mesh_ = nullptr;
  const Dataset* dataset_ = nullptr;
  Index number_ = 0;
  MeshOutline outline_;
  mutable std::shared_ptr<const Mesh> read_;     // by whole()
  mutable std::shared_ptr<const MeshPart> one_;  // of a mesh that is one part
};

// The nearest of a source's points (not of its wall) to each of some positions.
struct NearestPoint {
  Index point = 0;
  float squared = std::numeric_limits<float>::infinity();  // of the distance
};
std::vector<NearestPoint> nearest_points(const PointSource& source, const Matrix& positions);

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/grid_pieces.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "mesh/ruler.h"

namespace fluidsplat::reconstruct {
namespace {

// A grid of more points is gone through in pieces of so many: some 150 MB with everything that is written.
constexpr Index kWhole = 4'000'000, kPiece = 500'000;

Index product(const std::vector<Index>& n) {
  return std::accumulate(n.begin(), n.end(), Index{1}, std::multiplies<>());
}

// The points of one block along an axis: its first, and how many, the one shared with the next included.
struct Span {
  Index first, count;
};
Span span_of(Index block, Index blocks, Index points) {
  const Index first = (points - 1) * block / blocks, last = (points - 1) * (block + 1) / blocks;
  return {first, last - first + 1};
}

}  // namespace

bool wants_pieces(const std::vector<Index>& points, Index piece_points) {
  return product(points) > (piece_points > 0 ? piece_points : kWhole);
}

GridPieces::GridPieces(std::vector<Index> points, field::Box box, KnownRegion region, Index piece_points)
    : dim_(std::ssize(box.low)), region_(std::move(region)) {
  if (std::ssize(points) != dim_)
    fail("a grid needs as many numbers of points as the data have coordinates, {}; {} are given", dim_, points.size());
  for (Index a = 0; a < dim_; ++a) {
    if (points[a] < 2) fail("a grid needs at least 2 points along each axis, {} are asked for", points[a]);
    points_[a] = points[a];
    origin_[a] = box.low[a];
    spacing_[a] = (box.high[a] - box.low[a]) / double(points[a] - 1);
  }
  // Blocks near cubes share the fewest points: the longest side is cut, again and again.
  const Index most = std::max<Index>(8, piece_points > 0 ? piece_points : kPiece);
  const auto longest = [&](std::size_t a) { return (points_[a] - 1) / blocks_[a] + 2; };
  for (;;) {
    Index in_block = 1;
    for (Index a = 0; a < dim_; ++a) in_block *= longest(a);
    std::size_t cut = 0;
    for (std::size_t a = 1; a < 3; ++a)
      if (longest(a) > longest(cut)) cut = a;
    if (in_block <= most || longest(cut) <= 3) return;
    ++blocks_[cut];
  }
}

Target GridPieces::target(Index block) const {
  std::array<Span, 3> span;
  for (std::size_t a = 0; a < 3; ++a) {
    span[a] = span_of(block % blocks_[a], blocks_[a], points_[a]);
    block /= blocks_[a];
  }
  auto mesh = std::make_shared<field::Mesh>();
  Target out;
  auto& g = out.shell.geometry;
  g.kind = io::VtkKind::image;
  for (std::size_t a = 0; a < 3; ++a) {
    g.first[a] = span[a].first;
    g.dimensions[a] = span[a].count;
  }
  g.origin = origin_;
  g.spacing = spacing_;
  for (Index a = dim_ - 1; a >= 0; --a) out.shell.array_shape.push_back(span[a].count);
  const Index n = g.point_count();
  mesh->points.resize(n, dim_);
  mesh->features.resize(n, 0);
  Index kept = 0;
  for (Index i = 0; i < n; ++i) {
    Index rest = i;
    for (Index a = 0; a < dim_; ++a) {
      const mesh::Ruler ruler{origin_[a], spacing_[a], points_[a]};
      mesh->points(kept, a) = float(ruler.at(span[a].first + rest % span[a].count));
      rest /= span[a].count;
    }
    if (!region_.contains(mesh->points.row(kept))) continue;
    out.shell.place.push_back(i);
    ++kept;
  }
  const Index rows = std::max<Index>(1, kept);
  mesh->points.conservativeResize(rows, Eigen::NoChange);
  mesh->features.resize(rows, 0);
  out.mesh = std::move(mesh);
  return out;
}

}  // namespace fluidsplat::reconstruct

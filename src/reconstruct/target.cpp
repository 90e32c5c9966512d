// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/target.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "mesh/mesh_file.h"

namespace fluidsplat::reconstruct {
namespace {

Target take(mesh::ShelledMesh from) {
  return {std::make_shared<const field::Mesh>(std::move(from.mesh)), std::move(from.shell)};
}

}  // namespace

Target target_from_mesh(std::shared_ptr<const field::Mesh> mesh) {
  auto shell = mesh::shell_of(*mesh);
  return {std::move(mesh), std::move(shell)};
}

Target target_from_vtk(const std::filesystem::path& path, const field::Schema& schema) {
  return take(mesh::read_mesh_file(path, schema));
}

Target target_from_grid(const std::vector<Index>& points, const field::Box& box, const KnownRegion& region) {
  auto grid = mesh::make_grid(points, box);
  auto& [mesh, shell] = grid;
  Index kept = 0;
  for (Index i = 0; i < mesh.size(); ++i) {
    if (!region.contains(mesh.points.row(i))) continue;
    mesh.points.row(kept) = mesh.points.row(i);
    mesh.grid_cell[kept] = mesh.grid_cell[i];
    shell.place[kept++] = shell.place[i];
  }
  if (kept == 0) fail("none of the grid's points lies where there were data in training; ask for a finer grid");
  mesh.points.conservativeResize(kept, Eigen::NoChange);
  mesh.grid_cell.resize(kept);
  shell.place.resize(kept);
  return take(std::move(grid));
}

std::vector<Index> default_grid(const field::Box& box, Index points_in_training) {
  constexpr Index kAlongPlane = 256, kFewest = 20'000, kMost = 2'000'000;
  if (box.low.size() == 2) return mesh::grid_for(box, kAlongPlane);
  const auto wanted = std::clamp(points_in_training, kFewest, kMost);
  const auto count = [](const std::vector<Index>& n) {
    return std::accumulate(n.begin(), n.end(), Index{1}, std::multiplies<>());
  };
  // One point more along the longest side at a time: the rounding along thin sides spoils every formula.
  auto grid = mesh::grid_for(box, 2);
  for (Index along = 3; along <= 4096; ++along) {
    auto finer = mesh::grid_for(box, along);
    if (count(finer) > wanted) break;
    grid = std::move(finer);
  }
  return grid;
}

double share_outside(const field::Mesh& mesh, const field::Box& box) {
  const auto& points = mesh.points;
  Index outside = 0;
  for (Index i = 0; i < points.rows(); ++i)
    for (Index a = 0; a < points.cols(); ++a) {
      const double margin = 1e-5 * (box.high[a] - box.low[a]), x = points(i, a);
      if (x < box.low[a] - margin || x > box.high[a] + margin) {
        ++outside;
        break;
      }
    }
  return double(outside) / double(points.rows());
}

}  // namespace fluidsplat::reconstruct

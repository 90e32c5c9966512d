// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/primitive.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluidsplat::reconstruct {
namespace {

constexpr int kAround = 32, kRings = 12;

double importance(const Primitive& p) {
  double size = p.weight * p.strength;
  for (Index i = 0; i < p.axes.rows(); ++i) size *= p.axes.row(i).norm();
  return size;
}

void add_point(io::VtkMesh& mesh, const Primitive& p, const Eigen::VectorXd& on_unit_sphere) {
  const Eigen::VectorXd at = p.centre + p.axes.transpose() * on_unit_sphere;
  for (Index a = 0; a < 3; ++a) mesh.points.push_back(a < at.size() ? at[a] : 0.0);
}

// Returns how many cells it made.
std::size_t add_ellipse(io::VtkMesh& mesh, const Primitive& p) {
  std::vector<Index> ids;
  for (int i = 0; i < kAround; ++i) {
    const double angle = 2 * std::numbers::pi * i / kAround;
    ids.push_back(mesh.point_count());
    add_point(mesh, p, Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  }
  mesh.add_cell(io::kVtkPolygon, ids);
  return 1;
}

std::size_t add_ellipsoid(io::VtkMesh& mesh, const Primitive& p) {
  const auto first = mesh.point_count();
  for (int ring = 0; ring <= kRings; ++ring)
    for (int i = 0; i < kAround; ++i) {
      const double polar = std::numbers::pi * ring / kRings, around = 2 * std::numbers::pi * i / kAround;
      add_point(
          mesh, p,
          Eigen::Vector3d(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar)));
    }
  std::size_t cells = 0;
  const auto id = [&](int ring, int i) { return first + ring * kAround + i % kAround; };
  for (int ring = 0; ring < kRings; ++ring)
    for (int i = 0; i < kAround; ++i) {
      // At the poles one of the two triangles has no area.
      if (ring + 1 < kRings)
        mesh.add_cell(io::kVtkTriangle, {id(ring, i), id(ring + 1, i), id(ring + 1, i + 1)}), ++cells;
      if (ring > 0) mesh.add_cell(io::kVtkTriangle, {id(ring, i), id(ring + 1, i + 1), id(ring, i + 1)}), ++cells;
    }
  return cells;
}

}  // namespace

void sort_by_importance(std::vector<Primitive>& primitives) {
  std::stable_sort(primitives.begin(), primitives.end(),
                   [](const auto& a, const auto& b) { return importance(a) > importance(b); });
}

io::Table to_table(const std::vector<Primitive>& primitives, const field::Schema& schema) {
  io::Table table;
  const auto column = [&](const std::string& name, auto value) {
    table.header.push_back(name);
    table.columns.emplace_back();
    for (const auto& p : primitives) table.columns.back().push_back(value(p));
  };
  const Index dim = schema.dim();
  const auto coordinate = [&](Index a) { return schema.coordinates[a].name; };
  for (Index a = 0; a < dim; ++a) column(coordinate(a), [=](const Primitive& p) { return p.centre[a]; });
  for (Index i = 0; i < dim; ++i)
    column(fmt::format("sigma{}", i + 1), [=](const Primitive& p) { return p.axes.row(i).norm(); });
  for (Index i = 0; i < dim; ++i)
    for (Index a = 0; a < dim; ++a)
      column(fmt::format("axis{}_{}", i + 1, coordinate(a)),
             [=](const Primitive& p) { return p.axes(i, a) / std::max(1e-300, p.axes.row(i).norm()); });
  column("weight", [](const Primitive& p) { return p.weight; });
  for (std::size_t c = 0; c < schema.channels.size(); ++c)
    column("amplitude_" + schema.channels[c].name, [=](const Primitive& p) { return p.amplitude[c]; });
  return table;
}

io::VtkMesh to_glyphs(const std::vector<Primitive>& primitives, const field::Schema& schema) {
  io::VtkMesh mesh;
  mesh.kind = io::VtkKind::poly;
  mesh.offsets = {0};
  std::vector<std::size_t> cells;
  for (const auto& p : primitives) cells.push_back(schema.dim() == 2 ? add_ellipse(mesh, p) : add_ellipsoid(mesh, p));
  const auto cell_data = [&](const std::string& name, auto value) {
    io::VtkArray array{name, 1, {}, io::DType::f32};
    for (std::size_t k = 0; k < primitives.size(); ++k)
      array.values.insert(array.values.end(), cells[k], value(primitives[k], k));
    mesh.cell_data.push_back(std::move(array));
  };
  cell_data("primitive", [](const Primitive&, std::size_t k) { return double(k); });
  cell_data("weight", [](const Primitive& p, std::size_t) { return p.weight; });
  for (std::size_t c = 0; c < schema.channels.size(); ++c)
    cell_data("amplitude_" + schema.channels[c].name, [=](const Primitive& p, std::size_t) { return p.amplitude[c]; });
  return mesh;
}

}  // namespace fluidsplat::reconstruct

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the cases and meshes of a dataset file.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "field/dataset_file.h"
#include "field/dataset_meshes.h"
#include "field/dataset_walls.h"

namespace fluidsplat::field {
namespace {

template <class NameOf>
void check_finite(const Matrix& values, const std::vector<Column>& columns, const std::string& where,
                  const NameOf& point) {
  for (Index r = 0; r < values.rows(); ++r)
    for (Index c = 0; c < values.cols(); ++c)
      if (!std::isfinite(values(r, c)))
        fail("{}: \"{}\" is not finite at point {}; the file is damaged, make it again", where, columns[c].name,
             point(r));
}

}  // namespace

MeshOutline DatasetFile::outline(Index m) const {
  const std::lock_guard lock(mutex_);
  if (const auto known = outlines_.find(m); known != outlines_.end()) return known->second;
  const auto group = mesh_group(m), wall = wall_group(m) + "/points";
  MeshOutline out;
  out.points = file_->shape(group + "/points")[0];
  if (file_->has(wall)) out.wall_points = file_->shape(wall)[0];
  out.grid_shape = read_grid_shape(*file_, m, name_);
  const auto columns = std::size_t(schema_.dim()) + schema_.features.size();
  const auto surface = file_->has(group + "/surface") ? file_->shape(group + "/surface")[0] : out.wall_points;
  out.bytes = sizeof(Mesh) + std::size_t(out.places()) * columns * sizeof(float) +
              (out.grid_shape.empty() ? 0 : std::size_t(out.points) * sizeof(Index)) +
              std::size_t(surface) * (sizeof(Index) + std::size_t(schema_.dim()) * sizeof(float) + sizeof(double));
  return outlines_[m] = out;
}

MeshPart DatasetFile::points_in(Index m, Index first, Index count) const {
  const auto group = mesh_group(m);
  const Index features = std::ssize(schema_.features);
  MeshPart out{Matrix(count, schema_.dim()), Matrix(count, features), {}};
  file_->read_rows<float>(group + "/points", first, count, out.positions.data());
  if (features > 0) file_->read_rows<float>(group + "/features", first, count, out.features.data());
  if (!outline(m).grid_shape.empty()) {
    out.cells.resize(std::size_t(count));
    file_->read_rows<std::int64_t>(group + "/grid_cell", first, count, out.cells.data());
  }
  const auto where = fmt::format("{}, mesh {}", name_, m);
  const auto point = [&](Index r) { return first + r; };
  check_finite(out.positions, schema_.coordinates, where, point);
  check_finite(out.features, schema_.features, where, point);
  return out;
}

Matrix DatasetFile::rows_at(const Tables& tables, Index frame, Index columns, Index points,
                            std::span<const Index> places) const {
  Matrix out(std::ssize(places), columns);
  if (columns == 0) return out;
  if (std::ranges::all_of(places, [&](Index place) { return place < points; })) {
    file_->read_scattered(tables.points, frame, places, out.data());
    return out;
  }
  for (const bool on_wall : {false, true}) {
    std::vector<Index> rows, numbers;
    for (Index i = 0; i < std::ssize(places); ++i) {
      if ((places[i] >= points) != on_wall) continue;
      rows.push_back(i);
      numbers.push_back(places[i] - (on_wall ? points : 0));
    }
    Matrix part(std::ssize(rows), columns);
    file_->read_scattered(on_wall ? tables.wall : tables.points, frame, numbers, part.data());
    out(rows, Eigen::all) = part;
  }
  return out;
}

MeshPart DatasetFile::points_at(Index m, std::span<const Index> places) const {
  const auto points = outline(m).points;
  const auto table = [&](const char* part) { return Tables{mesh_group(m) + part, wall_group(m) + part}; };
  MeshPart out{rows_at(table("/points"), 0, schema_.dim(), points, places),
               rows_at(table("/features"), 0, std::ssize(schema_.features), points, places),
               {}};
  const auto where = fmt::format("{}, mesh {}", name_, m);
  const auto point = [&](Index r) { return places[r]; };
  check_finite(out.positions, schema_.coordinates, where, point);
  check_finite(out.features, schema_.features, where, point);
  return out;
}

Matrix DatasetFile::values_in(Index index, Index first, Index count) const {
  Matrix out(count, std::ssize(schema_.channels));
  file_->read_slab<float>(fields_name(mesh_of(index)), {case_row_[std::size_t(index)], first, 0},
                          {1, count, out.cols()}, out.data());
  check_finite(out, schema_.channels, fmt::format("{}, case {}", name_, index), [&](Index r) { return first + r; });
  return out;
}

Matrix DatasetFile::values_at(Index index, std::span<const Index> places) const {
  const auto m = mesh_of(index);
  auto out = rows_at({fields_name(m), wall_fields_name(m)}, case_row_[std::size_t(index)], std::ssize(schema_.channels),
                     outline(m).points, places);
  check_finite(out, schema_.channels, fmt::format("{}, case {}", name_, index), [&](Index r) { return places[r]; });
  return out;
}

Case DatasetFile::without_fields(Index index) const {
  mesh_of(index);  // an Error when there is no such case
  const std::size_t i = index;
  Case c;
  c.name = case_names_[i];
  c.time = case_time_[i];
  c.descriptors = case_descriptors_.row(index).transpose();
  c.reference = case_reference_[i];
  return c;
}

}  // namespace fluidsplat::field

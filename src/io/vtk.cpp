// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk.h"

#include <algorithm>

namespace fluidsplat::io {

std::int64_t VtkMesh::point_count() const {
  if (kind == VtkKind::image) return checked_count(dimensions, "image");
  return static_cast<std::int64_t>(points.size() / 3);
}

std::int64_t VtkMesh::cell_count() const {
  if (kind != VtkKind::image) return std::ssize(cell_types);
  // A direction with one point has no extent and does not divide the image into cells.
  std::int64_t cells = point_count() > 0 ? 1 : 0;
  for (const std::int64_t extent : dimensions) cells *= std::max<std::int64_t>(extent - 1, 1);
  return cells;
}

void VtkMesh::add_cell(VtkCellType type, const std::vector<std::int64_t>& point_ids) {
  if (offsets.empty()) offsets.push_back(0);
  connectivity.insert(connectivity.end(), point_ids.begin(), point_ids.end());
  offsets.push_back(std::ssize(connectivity));
  cell_types.push_back(type);
}

const VtkArray* VtkMesh::find_point_data(std::string_view name) const {
  const auto found = std::ranges::find(point_data, name, &VtkArray::name);
  return found == point_data.end() ? nullptr : &*found;
}

void add_structured_cells(VtkMesh& mesh) {
  const auto& n = mesh.dimensions;
  std::array<std::int64_t, 3> step{}, cells{};
  for (std::size_t a = 0; a < 3; ++a) {
    step[a] = n[a] > 1 ? (a == 0 ? 1 : a == 1 ? n[0] : n[0] * n[1]) : 0;
    cells[a] = std::max<std::int64_t>(1, n[a] - 1);
  }
  std::vector<std::int64_t> along;  // steps along the axes that extend
  for (auto s : step)
    if (s > 0) along.push_back(s);
  for (std::int64_t k = 0; k < cells[2]; ++k)
    for (std::int64_t j = 0; j < cells[1]; ++j)
      for (std::int64_t i = 0; i < cells[0]; ++i) {
        const auto p = (k * n[1] + j) * n[0] + i;
        if (along.size() == 3) {
          const auto q = p + along[2];
          mesh.add_cell(kVtkHexahedron, {p, p + along[0], p + along[0] + along[1], p + along[1], q, q + along[0],
                                         q + along[0] + along[1], q + along[1]});
        } else if (along.size() == 2) {
          mesh.add_cell(kVtkQuad, {p, p + along[0], p + along[0] + along[1], p + along[1]});
        } else if (along.size() == 1) {
          mesh.add_cell(kVtkLine, {p, p + along[0]});
        } else {
          mesh.add_cell(kVtkVertex, {p});
        }
      }
}

}  // namespace fluidsplat::io

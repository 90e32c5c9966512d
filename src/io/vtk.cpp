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

}  // namespace fluidsplat::io

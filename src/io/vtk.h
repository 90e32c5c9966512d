// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/array.h"

namespace fluidsplat::io {

enum class VtkKind { unstructured, poly, image };

// VTK's numbers for the cells that occur here.
enum VtkCellType : std::uint8_t {
  kVtkVertex = 1,
  kVtkPolyVertex = 2,
  kVtkLine = 3,
  kVtkPolyLine = 4,
  kVtkTriangle = 5,
  kVtkTriangleStrip = 6,
  kVtkPolygon = 7,
  kVtkQuad = 9,
  kVtkTetra = 10,
  kVtkHexahedron = 12,
};

// One value or vector per point or cell: values[i * components + c].
struct VtkArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
  DType dtype = DType::f64;  // in the file
};

// A mesh with data, as ParaView shows it.
struct VtkMesh {
  VtkKind kind = VtkKind::unstructured;

  // unstructured and poly: points[3 i + axis]; cell c has the points connectivity[offsets[c]] up to
  // connectivity[offsets[c + 1]].  In poly, vertices come first, then lines, polygons and strips.
  std::vector<double> points;
  DType point_dtype = DType::f64;  // f32 or f64, in the file
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> cell_types;

  // image: number of points along x, y, z; x turns fastest.  An unstructured mesh that has them was a structured or
  // rectilinear grid, with its points and cells in that order.
  std::array<std::int64_t, 3> dimensions = {0, 0, 0};
  std::array<double, 3> origin = {0, 0, 0};
  std::array<double, 3> spacing = {1, 1, 1};
  // Of an image that is a piece of a larger one: where its first point is in that; the origin is then the larger one's.
  // Files that are read never have it.
  std::array<std::int64_t, 3> first = {0, 0, 0};

  std::vector<VtkArray> point_data;
  std::vector<VtkArray> cell_data;

  bool is_structured() const { return dimensions[0] > 0; }
  std::int64_t point_count() const;
  std::int64_t cell_count() const;
  void add_cell(VtkCellType type, const std::vector<std::int64_t>& point_ids);
  // nullptr when there is no point data of this name.
  const VtkArray* find_point_data(std::string_view name) const;
};

// Fills in the cells of a structured mesh whose dimensions are known: hexahedra, quadrilaterals or lines.
void add_structured_cells(VtkMesh& mesh);

// Reads .vtu, .vtp, .vti, .vts, .vtr (XML) and .vtk (legacy).  Whatever VTK complains about is an Error with the file's
// name.
VtkMesh read_vtk(const std::filesystem::path& path);
// Writes .vtu, .vtp or .vti, which must suit the mesh; binary, compressed, whole or not at all.
void write_vtk(const std::filesystem::path& path, const VtkMesh& mesh);

}  // namespace fluidsplat::io

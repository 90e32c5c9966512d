// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_convert.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

DType dtype_of_array(const vtkDataArray& array) {
  const int type = const_cast<vtkDataArray&>(array).GetDataType();
  const int size = const_cast<vtkDataArray&>(array).GetDataTypeSize();
  if (type == VTK_FLOAT) return DType::f32;
  if (type == VTK_DOUBLE) return DType::f64;
  const bool sign = vtkDataArray::GetDataTypeMin(type) < 0;
  switch (size) {
    case 1:
      return sign ? DType::i8 : DType::u8;
    case 2:
      return sign ? DType::i16 : DType::u16;
    case 4:
      return sign ? DType::i32 : DType::u32;
    default:
      return sign ? DType::i64 : DType::u64;
  }
}

class Converter {
 public:
  explicit Converter(const std::string& name) : name_(name) {}

  VtkMesh convert(vtkDataObject* output) {
    VtkMesh mesh;
    if (auto* grid = vtkUnstructuredGrid::SafeDownCast(output))
      convert(*grid, mesh);
    else if (auto* poly = vtkPolyData::SafeDownCast(output))
      convert(*poly, mesh);
    else if (auto* image = vtkImageData::SafeDownCast(output))
      convert(*image, mesh);
    else if (auto* curved = vtkStructuredGrid::SafeDownCast(output))
      convert_grid(*curved, curved->GetDimensions(), mesh);
    else if (auto* straight = vtkRectilinearGrid::SafeDownCast(output))
      convert_grid(*straight, straight->GetDimensions(), mesh);
    else
      refuse("holds no mesh of a known kind");
    auto* data = vtkDataSet::SafeDownCast(output);
    copy_data(*data->GetPointData(), mesh.point_count(), mesh.point_data, "point");
    copy_data(*data->GetCellData(), mesh.cell_count(), mesh.cell_data, "cell");
    return mesh;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail("{}: not a readable VTK file: {}", name_, why); }

  void convert(vtkUnstructuredGrid& grid, VtkMesh& mesh) {
    mesh.kind = VtkKind::unstructured;
    copy_points(grid.GetPoints(), mesh);
    vtkUnsignedCharArray* types = grid.GetCellTypesArray();
    const vtkIdType cells = types ? types->GetNumberOfTuples() : 0;
    for (vtkIdType i = 0; i < cells; ++i) mesh.cell_types.push_back(types->GetValue(i));
    append_cells(grid.GetCells(), mesh);
    finish_cells(mesh);
  }

  void convert(vtkPolyData& poly, VtkMesh& mesh) {
    mesh.kind = VtkKind::poly;
    copy_points(poly.GetPoints(), mesh);
    append_typed(poly.GetVerts(), mesh, [](auto n) { return n == 1 ? kVtkVertex : kVtkPolyVertex; });
    append_typed(poly.GetLines(), mesh, [](auto n) { return n == 2 ? kVtkLine : kVtkPolyLine; });
    append_typed(poly.GetPolys(), mesh,
                 [](auto n) { return n == 3 ? kVtkTriangle : (n == 4 ? kVtkQuad : kVtkPolygon); });
    append_typed(poly.GetStrips(), mesh, [](auto) { return kVtkTriangleStrip; });
    finish_cells(mesh);
  }

  void convert(vtkImageData& image, VtkMesh& mesh) {
    mesh.kind = VtkKind::image;
    if (!image.GetDirectionMatrix()->IsIdentity()) refuse("the image is rotated; only axis-aligned images are read");
    const int* extent = image.GetExtent();
    for (unsigned axis = 0; axis < 3; ++axis) {
      const int first = extent[2 * axis], last = extent[2 * axis + 1];
      if (last < first) refuse("the image is empty");
      mesh.dimensions[axis] = std::int64_t{last} - first + 1;
      mesh.spacing[axis] = image.GetSpacing()[axis];
      // Ours always begins at index zero.
      mesh.origin[axis] = image.GetOrigin()[axis] + first * mesh.spacing[axis];
    }
    checked_count(mesh.dimensions, name_);
  }

  void convert_grid(vtkDataSet& grid, const int* dimensions, VtkMesh& mesh) {
    std::int64_t count = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (dimensions[axis] < 1) refuse("the grid is empty");
      mesh.dimensions[axis] = dimensions[axis];
      count *= dimensions[axis];
    }
    if (grid.GetNumberOfPoints() != count) refuse("the grid's points do not fit its size");
    for (vtkIdType i = 0; i < grid.GetNumberOfPoints(); ++i) {
      const double* point = grid.GetPoint(i);
      mesh.points.insert(mesh.points.end(), point, point + 3);
    }
    add_structured_cells(mesh);
  }

  void copy_points(vtkPoints* points, VtkMesh& mesh) {
    if (!points) return;
    vtkDataArray* array = points->GetData();
    mesh.point_dtype = dtype_of_array(*array) == DType::f32 ? DType::f32 : DType::f64;
    mesh.points = values_of(*array);
  }

  std::vector<double> values_of(vtkDataArray& array) {
    const vtkIdType tuples = array.GetNumberOfTuples();
    const int components = array.GetNumberOfComponents();
    std::vector<double> values(static_cast<std::size_t>(tuples) * static_cast<std::size_t>(components));
    for (vtkIdType i = 0; i < tuples; ++i) array.GetTuple(i, values.data() + i * components);
    return values;
  }

  // Appends offsets and connectivity; every number comes from the file and is checked.
  void append_cells(vtkCellArray* cells, VtkMesh& mesh) {
    if (mesh.offsets.empty()) mesh.offsets.push_back(0);
    if (!cells) return;
    vtkDataArray* offsets = cells->GetOffsetsArray();
    vtkDataArray* ids = cells->GetConnectivityArray();
    const std::vector<double> starts = values_of(*offsets), points = values_of(*ids);
    const auto base = double(mesh.connectivity.size());
    double before = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (starts[i] < before || starts[i] > double(points.size()) || (i == 0 && starts[i] != 0))
        refuse("its cell offsets are damaged");
      before = starts[i];
      if (i > 0) mesh.offsets.push_back(std::int64_t(base + starts[i]));
    }
    if (before != double(points.size())) refuse("its cell offsets are damaged");
    for (const double id : points) {
      if (!(id >= 0 && id < double(mesh.point_count()))) refuse("a cell names a point that is not there");
      mesh.connectivity.push_back(std::int64_t(id));
    }
  }

  template <class TypeOf>
  void append_typed(vtkCellArray* cells, VtkMesh& mesh, TypeOf type_of) {
    const std::size_t first = mesh.offsets.empty() ? 0 : mesh.offsets.size() - 1;
    append_cells(cells, mesh);
    for (std::size_t i = first; i + 1 < mesh.offsets.size(); ++i)
      mesh.cell_types.push_back(type_of(mesh.offsets[i + 1] - mesh.offsets[i]));
  }

  void finish_cells(const VtkMesh& mesh) {
    if (mesh.offsets.size() != mesh.cell_types.size() + 1)
      refuse(fmt::format("{} cells have {} types", mesh.offsets.size() - 1, mesh.cell_types.size()));
  }

  void copy_data(vtkDataSetAttributes& data, std::int64_t expected, std::vector<VtkArray>& out, const char* what) {
    for (int i = 0; i < data.GetNumberOfArrays(); ++i) {
      vtkDataArray* array = data.GetArray(i);
      if (!array) continue;  // texts
      const std::string name = array->GetName() ? array->GetName() : "";
      if (array->GetNumberOfTuples() != expected)
        refuse(fmt::format("the {} data '{}' has {} entries for {} {}s", what, name, array->GetNumberOfTuples(),
                           expected, what));
      out.push_back({name, array->GetNumberOfComponents(), values_of(*array), dtype_of_array(*array)});
    }
  }

  const std::string& name_;
};

}  // namespace

VtkMesh convert_vtk(vtkDataObject* data, const std::string& name) {
  return Converter(name).convert(data);
}

}  // namespace fluidsplat::io

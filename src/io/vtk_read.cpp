// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "base/error.h"
#include "io/vtk.h"
#include "io/vtk_blocks.h"
#include "io/vtk_session.h"

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

class MeshReader {
 public:
  explicit MeshReader(const std::filesystem::path& path) : name_(path.string()), extension_(path.extension()) {}

  VtkMesh read() {
    check_vtk_blocks(name_);
    const VtkSession session;
    VtkMesh mesh;
    try {
      if (extension_ == ".vtu")
        read_with<vtkXMLUnstructuredGridReader>(session, mesh);
      else if (extension_ == ".vtp")
        read_with<vtkXMLPolyDataReader>(session, mesh);
      else if (extension_ == ".vti")
        read_with<vtkXMLImageDataReader>(session, mesh);
      else if (extension_ == ".vtk")
        // VTK's reader of this format overruns memory on damaged files.
        fail("{}: legacy VTK files are not read; save it as .vtu, .vtp or .vti in ParaView", name_);
      else
        fail("{}: the extension '{}' is unknown; .vtu, .vtp and .vti are readable", name_, extension_);
    } catch (const std::bad_alloc&) {
      refuse("claims more data than fits in memory");
    } catch (const std::length_error&) {
      refuse("claims more data than fits in memory");
    }
    return mesh;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail("{}: not a readable VTK file: {}", name_, why); }

  template <class Reader>
  void read_with(const VtkSession& session, VtkMesh& mesh) {
    vtkNew<Reader> reader;
    reader->SetFileName(name_.c_str());
    reader->Update();
    const std::string error = session.first_error();
    if (!error.empty()) refuse(error);
    if (reader->GetErrorCode() != 0) refuse("it is damaged or cut short");
    vtkDataObject* output = reader->GetOutputDataObject(0);
    if (auto* grid = vtkUnstructuredGrid::SafeDownCast(output))
      convert(*grid, mesh);
    else if (auto* poly = vtkPolyData::SafeDownCast(output))
      convert(*poly, mesh);
    else if (auto* image = vtkImageData::SafeDownCast(output))
      convert(*image, mesh);
    else
      refuse("holds neither an unstructured grid, nor poly data, nor an image");
    auto* data = vtkDataSet::SafeDownCast(output);
    copy_data(*data->GetPointData(), mesh.point_count(), mesh.point_data, "point");
    copy_data(*data->GetCellData(), mesh.cell_count(), mesh.cell_data, "cell");
  }

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
    for (int axis = 0; axis < 3; ++axis) {
      const int first = extent[2 * axis], last = extent[2 * axis + 1];
      if (last < first) refuse("the image is empty");
      mesh.dimensions[axis] = std::int64_t{last} - first + 1;
      mesh.spacing[axis] = image.GetSpacing()[axis];
      // Ours always begins at index zero.
      mesh.origin[axis] = image.GetOrigin()[axis] + first * mesh.spacing[axis];
    }
    checked_count(mesh.dimensions, name_);
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

  std::string name_, extension_;
};

}  // namespace

VtkMesh read_vtk(const std::filesystem::path& path) {
  return MeshReader(path).read();
}

}  // namespace fluidsplat::io

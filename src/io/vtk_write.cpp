// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <limits>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/vtk.h"
#include "io/vtk_session.h"

namespace fluidsplat::io {
namespace {

constexpr std::uint8_t kVtkPolyhedron = 42;

int vtk_type(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return VTK_FLOAT;
    case DType::f64:
      return VTK_DOUBLE;
    case DType::i8:
      return VTK_SIGNED_CHAR;
    case DType::u8:
    case DType::boolean:
      return VTK_UNSIGNED_CHAR;
    case DType::i16:
      return VTK_SHORT;
    case DType::u16:
      return VTK_UNSIGNED_SHORT;
    case DType::i32:
      return VTK_INT;
    case DType::u32:
      return VTK_UNSIGNED_INT;
    case DType::i64:
      return VTK_LONG_LONG;
    case DType::u64:
      return VTK_UNSIGNED_LONG_LONG;
  }
  return VTK_DOUBLE;
}

vtkSmartPointer<vtkDataArray> make_array(const std::vector<double>& values, int components, DType dtype) {
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(vtk_type(dtype)));
  array->SetNumberOfComponents(components);
  const auto tuples = static_cast<vtkIdType>(values.size()) / components;
  array->SetNumberOfTuples(tuples);
  for (vtkIdType i = 0; i < tuples; ++i) array->SetTuple(i, values.data() + i * components);
  return array;
}

class MeshWriter {
 public:
  MeshWriter(const std::filesystem::path& path, const VtkMesh& mesh) : path_(path), mesh_(mesh) {}

  void write() {
    check_mesh();
    const std::string extension = path_.extension();
    const VtkSession session;
    AtomicFile file(path_);
    if (mesh_.kind == VtkKind::unstructured && extension == ".vtu")
      write_with<vtkXMLUnstructuredGridWriter>(session, *make_grid(), file);
    else if (mesh_.kind == VtkKind::poly && extension == ".vtp")
      write_with<vtkXMLPolyDataWriter>(session, *make_poly(), file);
    else if (mesh_.kind == VtkKind::image && extension == ".vti")
      write_with<vtkXMLImageDataWriter>(session, *make_image(), file);
    else
      refuse(
          fmt::format("the extension '{}' does not suit the mesh: .vtu is for unstructured grids, .vtp for poly data, "
                      ".vti for images",
                      extension));
    file.commit();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail("{}: cannot write: {}", path_.string(), why); }

  template <class Writer>
  void write_with(const VtkSession& session, vtkDataSet& data, AtomicFile& file) {
    add_data(*data.GetPointData(), mesh_.point_data);
    add_data(*data.GetCellData(), mesh_.cell_data);
    vtkNew<Writer> writer;
    writer->WriteToOutputStringOn();  // of a disk that is full VTK cannot say so
    writer->SetInputData(&data);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetCompressorTypeToZLib();
    writer->SetHeaderTypeToUInt64();
    const bool good = writer->Write() == 1 && writer->GetErrorCode() == 0;
    const std::string error = session.first_error();
    if (!good || !error.empty()) refuse(error.empty() ? "VTK could not write the file" : error);
    file.write(writer->GetOutputString());
  }

  void check_mesh() const {
    if (mesh_.kind == VtkKind::image) {
      for (std::size_t a = 0; a < 3; ++a)
        if (mesh_.dimensions[a] < 1 || mesh_.first[a] < 0 ||
            mesh_.first[a] + mesh_.dimensions[a] > std::numeric_limits<int>::max())
          refuse("an image needs at least one point, and no more along an axis than VTK can count");
    } else {
      check_cells();
    }
    check_data(mesh_.point_data, mesh_.point_count(), "point");
    check_data(mesh_.cell_data, mesh_.cell_count(), "cell");
  }

  void check_cells() const {
    if (mesh_.points.size() % 3 != 0) refuse("points must have three coordinates each");
    if (mesh_.cell_types.empty() && mesh_.offsets.empty() && mesh_.connectivity.empty()) return;
    if (mesh_.offsets.size() != mesh_.cell_types.size() + 1 || mesh_.offsets.front() != 0 ||
        mesh_.offsets.back() != std::ssize(mesh_.connectivity))
      refuse("the cell offsets do not fit the cells");
    for (std::size_t i = 0; i < mesh_.cell_types.size(); ++i) {
      if (mesh_.offsets[i] > mesh_.offsets[i + 1]) refuse("the cell offsets decrease");
      if (mesh_.cell_types[i] == kVtkPolyhedron) refuse("polyhedra are not supported");
    }
    for (const std::int64_t id : mesh_.connectivity)
      if (id < 0 || id >= mesh_.point_count()) refuse(fmt::format("a cell names point {} which is not there", id));
  }

  void check_data(const std::vector<VtkArray>& arrays, std::int64_t count, const char* what) const {
    std::set<std::string> names;
    for (const VtkArray& array : arrays) {
      if (array.components < 1) refuse(fmt::format("'{}' has {} components", array.name, array.components));
      if (std::ssize(array.values) != count * array.components)
        refuse(fmt::format("'{}' has {} values for {} {}s of {} components", array.name, array.values.size(), count,
                           what, array.components));
      if (!names.insert(array.name).second) refuse(fmt::format("two arrays are named '{}'", array.name));
    }
  }

  vtkSmartPointer<vtkPoints> make_points() const {
    auto points = vtkSmartPointer<vtkPoints>::New();
    points->SetDataType(mesh_.point_dtype == DType::f32 ? VTK_FLOAT : VTK_DOUBLE);
    points->SetData(make_array(mesh_.points, 3, mesh_.point_dtype == DType::f32 ? DType::f32 : DType::f64));
    return points;
  }

  vtkSmartPointer<vtkCellArray> make_cells(std::size_t first, std::size_t last) const {
    auto cells = vtkSmartPointer<vtkCellArray>::New();
    for (std::size_t i = first; i < last; ++i) {
      cells->InsertNextCell(int(mesh_.offsets[i + 1] - mesh_.offsets[i]));
      for (auto at = mesh_.offsets[i]; at < mesh_.offsets[i + 1]; ++at)
        cells->InsertCellPoint(mesh_.connectivity[std::size_t(at)]);
    }
    return cells;
  }

  vtkSmartPointer<vtkDataSet> make_grid() const {
    auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    grid->SetPoints(make_points());
    std::vector<int> types(mesh_.cell_types.begin(), mesh_.cell_types.end());
    if (!types.empty()) grid->SetCells(types.data(), make_cells(0, types.size()));
    return grid;
  }

  // 0 to 3: vertices, lines, polygons, strips.
  int poly_group(std::uint8_t type) const {
    if (type == kVtkVertex || type == kVtkPolyVertex) return 0;
    if (type == kVtkLine || type == kVtkPolyLine) return 1;
    if (type == kVtkTriangle || type == kVtkQuad || type == kVtkPolygon) return 2;
    if (type == kVtkTriangleStrip) return 3;
    refuse(fmt::format("cells of type {} do not belong in poly data", type));
  }

  vtkSmartPointer<vtkDataSet> make_poly() const {
    auto poly = vtkSmartPointer<vtkPolyData>::New();
    poly->SetPoints(make_points());
    std::size_t first = 0;
    for (int group = 0; group < 4; ++group) {
      std::size_t last = first;
      while (last < mesh_.cell_types.size() && poly_group(mesh_.cell_types[last]) == group) ++last;
      if (last == first) continue;
      const auto cells = make_cells(first, last);
      if (group == 0) poly->SetVerts(cells);
      if (group == 1) poly->SetLines(cells);
      if (group == 2) poly->SetPolys(cells);
      if (group == 3) poly->SetStrips(cells);
      first = last;
    }
    if (first != mesh_.cell_types.size()) refuse("cells must be ordered: vertices, lines, polygons, strips");
    return poly;
  }

  vtkSmartPointer<vtkDataSet> make_image() const {
    auto image = vtkSmartPointer<vtkImageData>::New();
    const auto first = [&](std::size_t a) { return int(mesh_.first[a]); };
    const auto last = [&](std::size_t a) { return int(mesh_.first[a] + mesh_.dimensions[a] - 1); };
    image->SetExtent(first(0), last(0), first(1), last(1), first(2), last(2));
    image->SetOrigin(mesh_.origin.data());
    image->SetSpacing(mesh_.spacing.data());
    return image;
  }

  static void add_data(vtkDataSetAttributes& data, const std::vector<VtkArray>& arrays) {
    for (const VtkArray& source : arrays) {
      const auto array = make_array(source.values, source.components, source.dtype);
      array->SetName(source.name.c_str());
      data.AddArray(array);
    }
  }

  const std::filesystem::path& path_;
  const VtkMesh& mesh_;
};

}  // namespace

void write_vtk(const std::filesystem::path& path, const VtkMesh& mesh) {
  MeshWriter(path, mesh).write();
}

}  // namespace fluidsplat::io

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLGenericDataObjectReader.h>
#include <vtkXMLImageDataWriter.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Two quads and a triangle side by side.
VtkMesh small_grid() {
  VtkMesh mesh;
  mesh.points = {0, 0, 0.5, 1, 0, 0.5, 2, 0, 0.5, 0, 1, 0.5, 1, 1, 0.5, 2, 1, 0.5, 3, 0.1, 0.5};
  mesh.point_dtype = DType::f32;
  mesh.add_cell(kVtkQuad, {0, 1, 4, 3});
  mesh.add_cell(kVtkQuad, {1, 2, 5, 4});
  mesh.add_cell(kVtkTriangle, {2, 6, 5});
  for (double& x : mesh.points) x = float(x);
  VtkArray velocity{"U", 3, {}, DType::f64};
  for (int i = 0; i < 21; ++i) velocity.values.push_back(0.1 * i - 1.0 / 3);
  mesh.point_data = {velocity, {"p", 1, {0, 1, 2, 3, 4.5, NAN, 6}, DType::f32}};
  mesh.cell_data = {{"id", 1, {7, 8, -9}, DType::i64}};
  return mesh;
}

VtkMesh small_surface() {
  VtkMesh mesh = small_grid();
  mesh.kind = VtkKind::poly;
  mesh.connectivity.clear();
  mesh.offsets.clear();
  mesh.cell_types.clear();
  mesh.add_cell(kVtkVertex, {6});
  mesh.add_cell(kVtkPolyLine, {0, 1, 2});
  mesh.add_cell(kVtkLine, {0, 3});
  mesh.add_cell(kVtkTriangle, {0, 1, 4});
  mesh.add_cell(kVtkPolygon, {0, 1, 2, 5, 3});
  mesh.add_cell(kVtkTriangleStrip, {0, 1, 3, 4});
  mesh.cell_data = {{"id", 1, {1, 2, 3, 4, 5, 6}, DType::u8}};
  return mesh;
}

VtkMesh small_image() {
  VtkMesh mesh;
  mesh.kind = VtkKind::image;
  mesh.dimensions = {4, 3, 2};
  mesh.origin = {-1, 0.5, 2};
  mesh.spacing = {0.25, 0.1, 3};
  VtkArray field{"w", 1, {}, DType::f32};
  for (int i = 0; i < 24; ++i) field.values.push_back(i);
  mesh.point_data = {field};
  mesh.cell_data = {{"c", 2, std::vector<double>(12, 1.5)}};
  return mesh;
}

void expect_same_data(const std::vector<VtkArray>& a, const std::vector<VtkArray>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].components, b[i].components);
    EXPECT_EQ(a[i].dtype, b[i].dtype) << a[i].name;
    ASSERT_EQ(a[i].values.size(), b[i].values.size());
    for (std::size_t k = 0; k < a[i].values.size(); ++k)
      EXPECT_TRUE(a[i].values[k] == b[i].values[k] || std::isnan(a[i].values[k])) << a[i].name << " " << k;
  }
}

class Vtk : public ::testing::Test {
 protected:
  TemporaryFolder folder_;

  void put(const std::string& name, const std::string& bytes) {
    fs::remove(folder_ / name);
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  void expect_refused(const std::string& name, const std::string& bytes, const std::string& because = "") {
    put(name, bytes);
    ::testing::internal::CaptureStderr();
    EXPECT_THAT([&] { read_vtk(folder_ / name); }, ThrowsMessage<Error>(AllOf(HasSubstr(name), HasSubstr(because))))
        << bytes.size();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "the library must not print";
  }
};

TEST_F(Vtk, RoundTripOfEveryKind) {
  for (const auto& [name, mesh] :
       {std::pair<std::string, VtkMesh>{"a.vtu", small_grid()}, {"a.vtp", small_surface()}, {"a.vti", small_image()}}) {
    write_vtk(folder_ / name, mesh);
    const VtkMesh back = read_vtk(folder_ / name);
    EXPECT_EQ(back.kind, mesh.kind);
    EXPECT_EQ(back.points, mesh.points);
    EXPECT_EQ(back.connectivity, mesh.connectivity);
    EXPECT_EQ(back.offsets, mesh.offsets);
    EXPECT_EQ(back.cell_types, mesh.cell_types);
    EXPECT_EQ(back.dimensions, mesh.dimensions);
    EXPECT_EQ(back.origin, mesh.origin);
    EXPECT_EQ(back.spacing, mesh.spacing);
    expect_same_data(mesh.point_data, back.point_data);
    expect_same_data(mesh.cell_data, back.cell_data);
  }
  const VtkMesh grid = read_vtk(folder_ / "a.vtu");
  EXPECT_EQ(grid.point_dtype, DType::f32);
  ASSERT_NE(grid.find_point_data("p"), nullptr);
  EXPECT_EQ(grid.find_point_data("p")->values[4], 4.5);
  EXPECT_EQ(grid.find_point_data("q"), nullptr);
}

// An independent path: VTK's generic reader and its own idea of the data set.
TEST_F(Vtk, VtkItselfSeesTheSameMesh) {
  write_vtk(folder_ / "a.vtu", small_grid());
  vtkNew<vtkXMLGenericDataObjectReader> reader;
  reader->SetFileName((folder_ / "a.vtu").c_str());
  reader->Update();
  vtkDataSet* data = vtkDataSet::SafeDownCast(reader->GetOutput());
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->GetNumberOfPoints(), 7);
  EXPECT_EQ(data->GetNumberOfCells(), 3);
  EXPECT_EQ(data->GetCellType(2), kVtkTriangle);
  EXPECT_EQ(data->GetPoint(6)[0], 3.0);
  EXPECT_DOUBLE_EQ(data->GetPointData()->GetArray("U")->GetComponent(2, 1), 0.1 * 7 - 1.0 / 3);
}

TEST_F(Vtk, AnImageThatStartsElsewhereIsShifted) {
  put("a.vti",
      R"(<VTKFile type="ImageData" version="0.1"><ImageData WholeExtent="2 3 0 1 0 0" Origin="10 0 0" Spacing="5 1 1">
      <Piece Extent="2 3 0 1 0 0"><PointData><DataArray type="Int16" Name="v" format="ascii">1 2 3 4</DataArray>
      </PointData></Piece></ImageData></VTKFile>)");
  const VtkMesh mesh = read_vtk(folder_ / "a.vti");
  EXPECT_THAT(mesh.dimensions, ElementsAre(2, 2, 1));
  EXPECT_THAT(mesh.origin, ElementsAre(20, 0, 0));
  EXPECT_THAT(mesh.point_data.at(0).values, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(mesh.point_data[0].dtype, DType::i16);
  EXPECT_EQ(mesh.cell_count(), 1);
}

std::string ascii_grid(const std::string& connectivity, const std::string& offsets, const std::string& types,
                       const std::string& p = "1 2 3",
                       const std::string& counts = R"(NumberOfPoints="3" NumberOfCells="1")") {
  return R"(<VTKFile type="UnstructuredGrid" version="0.1"><UnstructuredGrid><Piece )" + counts +
         R"(><PointData><DataArray type="Float64" Name="p" format="ascii">)" + p +
         R"(</DataArray></PointData><Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">)"
         R"(0 0 0 1 0 0 0 1 0</DataArray></Points><Cells><DataArray type="Int64" Name="connectivity" format="ascii">)" +
         connectivity + R"(</DataArray><DataArray type="Int64" Name="offsets" format="ascii">)" + offsets +
         R"(</DataArray><DataArray type="UInt8" Name="types" format="ascii">)" + types +
         R"(</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>)";
}

TEST_F(Vtk, DamagedFilesAreErrorsAndNothingIsPrinted) {
  put("good.vtu", ascii_grid("0 1 2", "3", "5"));
  EXPECT_EQ(read_vtk(folder_ / "good.vtu").cell_count(), 1);
  expect_refused("a.vtu", ascii_grid("0 1 3", "3", "5"), "point that is not there");
  expect_refused("a.vtu", ascii_grid("0 1 -1", "3", "5"), "point that is not there");
  expect_refused("a.vtu", ascii_grid("0 1 2", "4", "5"));
  expect_refused("a.vtu", ascii_grid("0 1 2", "-3", "5"));
  expect_refused("a.vtu", ascii_grid("0 1 2", "3", "5", "1 2"));
  expect_refused("a.vtu", ascii_grid("0 1 2", "3", "5", "1 2 3", R"(NumberOfPoints="3" NumberOfCells="2")"));
  expect_refused("a.vtu", ascii_grid("0 1 2", "3", "5", "1 2 3", R"(NumberOfPoints="4000000000000" NumberOfCells="1")"),
                 "NumberOfPoints is more than a file of");
  expect_refused("a.vtu",
                 ascii_grid("0 1 2", "3", "5", "1 2 3", R"(NumberOfPoints="3" NumberOfCells="99999999999999999999")"),
                 "NumberOfCells is more than a file of");
  for (const char* name : {"a.vtu", "a.vtp", "a.vti"}) {
    expect_refused(name, "");
    expect_refused(name, "garbage\n\x01\x02");
    expect_refused(name, "<VTKFile type=\"Nothing\"></VTKFile>");
    expect_refused(name, "<a><b>");
  }
  EXPECT_THAT([&] { read_vtk(folder_ / "missing.vtu"); }, ThrowsMessage<Error>(HasSubstr("No such file")));
  expect_refused("a.vtk", "# vtk DataFile Version 3.0\n", "ASCII");
  put("a.obj", "");
  EXPECT_THAT([&] { read_vtk(folder_ / "a.obj"); }, ThrowsMessage<Error>(HasSubstr("'.obj'")));
  write_vtk(folder_ / "b.vtu", small_grid());
  fs::rename(folder_ / "b.vtu", folder_ / "b.vtp");
  EXPECT_THROW(read_vtk(folder_ / "b.vtp"), Error) << "the extension lies";
}

TEST_F(Vtk, EveryTruncationIsAnError) {
  write_vtk(folder_ / "a.vtu", small_grid());
  write_vtk(folder_ / "a.vtp", small_surface());
  write_vtk(folder_ / "a.vti", small_image());
  for (const char* name : {"a.vtu", "a.vtp", "a.vti"}) {
    const std::string good = read_file(folder_ / name);
    const std::size_t tail = std::string("\n  </AppendedData>\n</VTKFile>\n").size();
    for (std::size_t size = 0; size + tail < good.size(); size += 23) expect_refused(name, good.substr(0, size));
  }
}

// Without the check VTK divides by zero, or loops over 2^60 blocks.
TEST_F(Vtk, DamagedBlockHeadersAreErrors) {
  write_vtk(folder_ / "a.vtu", small_grid());
  const std::string good = read_file(folder_ / "a.vtu");
  const std::size_t blocks = good.find('_', good.find("<AppendedData")) + 1;
  std::string bad = good;
  bad[blocks + 7] = '\x10';
  expect_refused("a.vtu", bad, "blocks are damaged");
  bad = good;
  bad.replace(blocks + 8, 8, 8, '\0');
  expect_refused("a.vtu", bad, "blocks are damaged");
  bad = good;
  bad[blocks] = '\0';  // no blocks, yet a last one
  expect_refused("a.vtu", bad, "blocks are damaged");
  bad = good;
  bad[blocks + 24 + 3] = '\x10';  // the first block's packed size
  expect_refused("a.vtu", bad, "blocks are damaged");
  bad = good;
  bad[good.find("header_type")] = 'x';  // now words of 32 bits, so that zeros are found for sizes
  expect_refused("a.vtu", bad, "blocks are damaged");
  bad = good;
  bad.replace(good.find("offset=\"0\""), 10, "offset=\"9\"");
  expect_refused("a.vtu", bad);
}

TEST_F(Vtk, ReadsInlineAndEncodedCompression) {
  const VtkMesh mesh = small_image();
  for (const bool inline_data : {false, true}) {
    const std::string name = (folder_ / "a.vti").string();
    vtkNew<vtkImageData> image;
    image->SetDimensions(4, 3, 2);
    vtkNew<vtkFloatArray> array;
    array->SetName("w");
    for (const double value : mesh.point_data[0].values) array->InsertNextValue(float(value));
    image->GetPointData()->AddArray(array);
    vtkNew<vtkXMLImageDataWriter> writer;
    writer->SetFileName(name.c_str());
    writer->SetInputData(image);
    if (inline_data) writer->SetDataModeToBinary();
    writer->SetByteOrderToBigEndian();
    writer->Write();
    EXPECT_EQ(read_vtk(name).point_data.at(0).values, mesh.point_data[0].values);
    std::string bad = read_file(name);
    const std::size_t header = inline_data ? bad.find_first_not_of(" \n", bad.find('>', bad.find("<DataArray")) + 1)
                                           : bad.find('_', bad.find("<AppendedData")) + 1;
    bad[header + 1] = '/';
    expect_refused("b.vti", bad, "blocks are damaged");
  }
}

TEST_F(Vtk, RefusesToWriteWhatIsWrong) {
  const auto refused = [&](const char* name, const VtkMesh& mesh, const char* because) {
    EXPECT_THAT([&] { write_vtk(folder_ / name, mesh); },
                ThrowsMessage<Error>(AllOf(HasSubstr(name), HasSubstr(because))));
    EXPECT_TRUE(fs::is_empty(folder_.path()));
  };
  refused("a.vtp", small_grid(), ".vtp");
  VtkMesh mesh = small_grid();
  mesh.connectivity[0] = 7;
  refused("a.vtu", mesh, "point 7");
  mesh = small_grid();
  mesh.offsets[1] = 9;
  refused("a.vtu", mesh, "decrease");
  mesh = small_grid();
  mesh.point_data[0].values.pop_back();
  refused("a.vtu", mesh, "'U'");
  mesh = small_grid();
  mesh.point_data[1].name = "U";
  refused("a.vtu", mesh, "two arrays");
  mesh = small_surface();
  std::swap(mesh.cell_types[0], mesh.cell_types[1]);
  refused("a.vtp", mesh, "ordered");
  mesh = small_surface();
  mesh.cell_types[0] = kVtkTetra;
  refused("a.vtp", mesh, "type 10");
  mesh = small_image();
  mesh.dimensions[2] = 0;
  refused("a.vti", mesh, "image");
}

}  // namespace
}  // namespace fluidsplat::io

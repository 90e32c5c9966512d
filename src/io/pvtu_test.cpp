// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pvtu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

using ::testing::HasSubstr;

// A row of squares.
VtkMesh strip(int first, int squares) {
  VtkMesh mesh;
  mesh.point_dtype = DType::f32;
  VtkArray p{"p", 1, {}, DType::f32};
  for (int i = 0; i <= squares; ++i)
    for (int y = 0; y < 2; ++y) {
      mesh.points.insert(mesh.points.end(), {double(first + i), double(y), 0.0});
      p.values.push_back(10 * (first + i) + y);
    }
  for (std::int64_t i = 0; i < squares; ++i) mesh.add_cell(kVtkQuad, {2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
  mesh.point_data = {p};
  return mesh;
}

// What VTK, and so ParaView, makes of the pieces is all of them together.
TEST(Pvtu, PiecesOpenAsOneMesh) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {"parts/0.vtu", "parts/1 & 2.vtu"};
  write_vtk(folder / files[0], strip(0, 3));
  write_vtk(folder / files[1], strip(3, 2));
  write_pvtu(folder / "all.pvtu", strip(0, 1), files);
  EXPECT_EQ(read_pvtu(folder / "all.pvtu"), files);

  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  reader->SetFileName((folder / "all.pvtu").c_str());
  reader->Update();
  auto* mesh = reader->GetOutput();
  ASSERT_EQ(mesh->GetNumberOfCells(), 5);
  ASSERT_EQ(mesh->GetNumberOfPoints(), 8 + 6);
  auto* p = mesh->GetPointData()->GetArray("p");
  ASSERT_TRUE(p);
  for (vtkIdType i = 0; i < mesh->GetNumberOfPoints(); ++i)
    EXPECT_EQ(p->GetTuple1(i), 10 * mesh->GetPoint(i)[0] + mesh->GetPoint(i)[1]);
}

TEST(Pvtu, RefusesWhatIsNone) {
  const TemporaryFolder folder;
  const auto refused = [&](const char* text, const char* why) {
    write_file(folder / "a.pvtu", text);
    EXPECT_THAT([&] { read_pvtu(folder / "a.pvtu"); }, ::testing::ThrowsMessage<Error>(HasSubstr(why))) << text;
  };
  refused("", "not a readable pvtu");
  refused("<VTKFile><PUnstructuredGrid><Piece Sou", "not a readable pvtu");
  refused("<VTKFile><PImageData/></VTKFile>", "not a readable pvtu");
  refused("<VTKFile><PUnstructuredGrid/></VTKFile>", "no pieces");
  refused("<VTKFile><PUnstructuredGrid><Piece/></PUnstructuredGrid></VTKFile>", "'Source'");
}

}  // namespace
}  // namespace fluidsplat::io

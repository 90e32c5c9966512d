// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pvti.h"

#include <gtest/gtest.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLPImageDataReader.h>

#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

// What VTK, and so ParaView, makes of pieces is the image they were cut from.
TEST(Pvti, PiecesOpenAsOneImage) {
  const TemporaryFolder folder;
  const std::array<std::int64_t, 3> whole = {7, 5, 4};
  const auto value = [](std::int64_t x, std::int64_t y, std::int64_t z) { return double(100 * x + 10 * y + z); };
  std::vector<PvtiPiece> pieces;
  VtkMesh last;
  for (const std::int64_t z : {0, 2})
    for (const std::int64_t x : {0, 3}) {
      PvtiPiece piece{{x, 0, z}, {4, 5, z == 0 ? 3 : 2}, "parts/" + std::to_string(pieces.size()) + ".vti"};
      VtkMesh mesh;
      mesh.kind = VtkKind::image;
      mesh.dimensions = piece.dimensions;
      mesh.first = piece.first;
      mesh.origin = {1, 2, 3};
      mesh.spacing = {0.5, 0.25, 2};
      VtkArray a{"p", 1, {}, DType::f32};
      for (std::int64_t k = 0; k < piece.dimensions[2]; ++k)
        for (std::int64_t j = 0; j < 5; ++j)
          for (std::int64_t i = 0; i < 4; ++i) a.values.push_back(value(x + i, j, z + k));
      mesh.point_data = {a, {"velocity", 3, std::vector<double>(3 * a.values.size(), 0.5), DType::f32}};
      write_vtk(folder / piece.file, mesh);
      pieces.push_back(piece);
      last = mesh;
    }
  write_pvti(folder / "all.pvti", whole, last, pieces);

  vtkNew<vtkXMLPImageDataReader> reader;
  reader->SetFileName((folder / "all.pvti").c_str());
  reader->Update();
  auto* image = reader->GetOutput();
  ASSERT_EQ(image->GetNumberOfPoints(), 7 * 5 * 4);
  EXPECT_EQ(image->GetOrigin()[2], 3);
  EXPECT_EQ(image->GetSpacing()[1], 0.25);
  auto* data = image->GetPointData()->GetArray("p");
  ASSERT_TRUE(data);
  ASSERT_TRUE(image->GetPointData()->GetArray("velocity"));
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x) {
        int at[] = {x, y, z};
        EXPECT_EQ(data->GetComponent(image->ComputePointId(at), 0), value(x, y, z));
      }
  // A piece by itself says where it lies.
  const auto alone = read_vtk(folder / "parts/3.vti");
  EXPECT_EQ(alone.origin, (std::array<double, 3>{1 + 3 * 0.5, 2, 3 + 2 * 2.0}));
}

}  // namespace
}  // namespace fluidsplat::io

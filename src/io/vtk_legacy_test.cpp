// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_legacy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

template <class T>
std::string big(const std::vector<T>& values) {
  std::string out;
  for (const T& v : values) {
    std::string bytes(reinterpret_cast<const char*>(&v), sizeof v);
    std::reverse(bytes.begin(), bytes.end());
    out += bytes;
  }
  return out;
}

const std::string kHeader = "# vtk DataFile Version 3.0\na title\n";

std::string unstructured_text() {
  return kHeader +
         "ASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\nCELLS 2 8\n3 0 1 2\n3 0 2 3\n"
         "CELL_TYPES 2\n5\n5\nCELL_DATA 2\nSCALARS T double 1\nLOOKUP_TABLE default\n7 8\n"
         "POINT_DATA 4\nVECTORS U float\n1 0 0 2 0 0 3 0 0 4 0 0\nFIELD attributes 1\nmy%20p 1 4 double\n5 6 7 8\n"
         "METADATA\nINFORMATION 0\n\n";
}

std::string unstructured_binary() {
  return kHeader + "BINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n" +
         big<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) + "\nCELLS 3 6\nOFFSETS vtktypeint64\n" +
         big<std::int64_t>({0, 3, 6}) + "\nCONNECTIVITY vtktypeint64\n" + big<std::int64_t>({0, 1, 2, 0, 2, 3}) +
         "\nCELL_TYPES 2\n" + big<std::int32_t>({5, 5}) + "\nPOINT_DATA 4\nSCALARS p double\nLOOKUP_TABLE default\n" +
         big<double>({5, 6, 7, 8}) + "\n";
}

TEST(VtkLegacy, UnstructuredGridsInTextAndBytes) {
  const auto text = parse_legacy_vtk(unstructured_text(), "a.vtk");
  EXPECT_EQ(text.point_count(), 4);
  EXPECT_THAT(text.connectivity, ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_THAT(text.cell_data.at(0).values, ElementsAre(7, 8));
  ASSERT_THAT(text.point_data, SizeIs(2));
  EXPECT_EQ(text.point_data[0].components, 3);
  EXPECT_EQ(text.point_data[1].name, "my p");
  const auto bytes = parse_legacy_vtk(unstructured_binary(), "a.vtk");
  EXPECT_EQ(bytes.points, text.points);
  EXPECT_EQ(bytes.offsets, text.offsets);
  EXPECT_THAT(bytes.point_data.at(0).values, ElementsAre(5, 6, 7, 8));
}

TEST(VtkLegacy, ImagesAndGrids) {
  const auto image = parse_legacy_vtk(kHeader +
                                          "ASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 2 1\nORIGIN 1 2 3\n"
                                          "SPACING 0.5 1 1\nPOINT_DATA 4\nSCALARS p float 1\nLOOKUP_TABLE default\n"
                                          "1 2 3 4\n",
                                      "a.vtk");
  EXPECT_EQ(image.kind, VtkKind::image);
  EXPECT_EQ(image.spacing[0], 0.5);
  const auto grid = parse_legacy_vtk(kHeader +
                                         "ASCII\nDATASET RECTILINEAR_GRID\nDIMENSIONS 3 2 1\nX_COORDINATES 3 float\n"
                                         "0 1 4\nY_COORDINATES 2 float\n0 2\nZ_COORDINATES 1 float\n7\nCELL_DATA 2\n"
                                         "SCALARS p float\nLOOKUP_TABLE default\n1 2\n",
                                     "a.vtk");
  EXPECT_TRUE(grid.is_structured());
  EXPECT_THAT(grid.points, SizeIs(18));
  EXPECT_EQ(grid.points[3 * 5], 4);
  EXPECT_THAT(grid.connectivity, ElementsAre(0, 1, 4, 3, 1, 2, 5, 4));
  const auto poly = parse_legacy_vtk(
      kHeader + "ASCII\nDATASET POLYDATA\nPOINTS 3 double\n0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n3 0 1 2\n", "a.vtk");
  EXPECT_THAT(poly.cell_types, ElementsAre(kVtkTriangle));
}

TEST(VtkLegacy, DamagedFilesAreErrors) {
  for (const auto& good : {unstructured_text(), unstructured_binary()}) {
    for (std::size_t size = 0; size < good.size(); ++size) try {
        parse_legacy_vtk(good.substr(0, size), "a.vtk");
      } catch (const Error&) {
      }
    for (std::size_t at = 0; at < good.size(); ++at)
      for (char flip : {'\x01', '\x10', '\x7f', '\xff'}) {
        auto bad = good;
        bad[at] = char(bad[at] ^ flip);
        try {
          parse_legacy_vtk(bad, "a.vtk");
        } catch (const Error&) {
        }
      }
  }
  EXPECT_THAT([] { parse_legacy_vtk(kHeader + "ASCII\nDATASET POLYDATA\nPOINTS 99999999999 float\n", "a.vtk"); },
              ThrowsMessage<Error>(HasSubstr("cut short")));
}

}  // namespace
}  // namespace fluidsplat::io

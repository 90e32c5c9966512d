// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes as text are damaged in import/import_openfoam_test.cpp; here are those of format binary, and packed ones.
#include "io/openfoam_mesh.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

using ::testing::HasSubstr;

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A tetrahedron, as OpenFOAM writes it with "writeFormat binary": one cell, four faces on the boundary.
class FoamMesh : public testing::Test {
 protected:
  void SetUp() override {
    put("points", "vectorField", fmt::format("4\n({})\n", raw<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1})));
    put("faces", "faceCompactList", faces({0, 3, 6, 9, 12}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}));
    put("owner", "labelList", list({0, 0, 0, 0}));
    put("neighbour", "labelList", "0()");
  }
  static std::string list(const std::vector<std::int32_t>& labels) {
    return fmt::format("\n{}\n({})\n", labels.size(), raw(labels));
  }
  static std::string faces(const std::vector<std::int32_t>& begins, const std::vector<std::int32_t>& corners) {
    return list(begins) + list(corners);
  }
  void put(const std::string& name, const std::string& kind, const std::string& body) {
    write_file(folder_ / name,
               fmt::format("FoamFile\n{{\n    version 2.0;\n    format      binary;\n    class {};\n"
                           "    arch \"LSB;label=32;scalar=64\";\n    object {};\n}}\n// * * * //\n{}\n// ***** //\n",
                           kind, name, body));
  }
  std::string complaint(const std::vector<FoamPatch>& patches = {{"wall", "wall", 4, 0}}) {
    try {
      check_foam_mesh(folder_.path(), patches);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  TemporaryFolder folder_;
};

TEST_F(FoamMesh, BinaryMeshesAreHeldAgainstThemselves) {
  EXPECT_EQ(complaint(), "");
  EXPECT_THAT(complaint({{"wall", "wall", 4, 1}}), HasSubstr("\"wall\" has faces that are not there"));
  put("owner", "labelList", list({0, 0, 0, 2147483647}));
  EXPECT_THAT(complaint(), HasSubstr("owner: is damaged: 2147483647 is not the number of a cell"));
  put("owner", "labelList", list({0, 0, 0}));
  EXPECT_THAT(complaint(), HasSubstr("4 faces have 3 owners"));
  put("owner", "labelList", list({0, 0, 2, 2}));
  EXPECT_THAT(complaint(), HasSubstr("the cell 1 has no faces"));
  SetUp();
  put("faces", "faceCompactList", faces({0, 3, 6, 9, 12}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4}));
  EXPECT_THAT(complaint(), HasSubstr("faces: is damaged: 4 is not the number of a point"));
  put("faces", "faceCompactList", faces({0, 3, 99, 9, 12}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}));
  EXPECT_THAT(complaint(), HasSubstr("do not begin one after the other"));
  SetUp();
  for (const char* name : {"points", "faces", "owner"}) {
    const auto good = read_file(folder_ / name);
    for (std::size_t size = 0; size + 20 < good.size(); size += 3) {
      write_file(folder_ / name, good.substr(0, size));
      EXPECT_THAT(complaint(), HasSubstr("is damaged")) << name << " of " << size << " bytes";
    }
    write_file(folder_ / name, good);
  }
}

TEST_F(FoamMesh, PackedFilesAreReadToo) {
  const auto owner = read_file(folder_ / "owner");
  std::filesystem::remove(folder_ / "owner");
  EXPECT_THAT(complaint(), HasSubstr("owner: cannot open"));
  const auto packed = ::gzopen((folder_ / "owner.gz").c_str(), "wb");
  ::gzwrite(packed, owner.data(), unsigned(owner.size()));
  ::gzclose(packed);
  EXPECT_EQ(complaint(), "");
}

}  // namespace
}  // namespace fluidsplat::io

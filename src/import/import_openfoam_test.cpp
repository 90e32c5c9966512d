// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/foam_fixture.h"
#include "import/import_fixture.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

class ImportOpenFoam : public ImportFixture {
 protected:
  ImportOpenFoam() : foam_(folder_ / "channel", 8, 4) {
    for (const char* time : {"0.5", "1", "10"}) foam_.add_time(time);
  }
  Recipe flow() {
    auto r = recipe("channel");
    r.arrays = {"U", "p"};
    return r;
  }
  FoamCaseWriter foam_;
};

TEST_F(ImportOpenFoam, ACaseFolderIsTwoDimensionalWithItsWall) {
  const auto report = import(flow());
  EXPECT_THAT(report.notes, AllOf(Contains(HasSubstr("3 times from 0.5 to 10")),
                                  Contains(HasSubstr("the wall is: wall")), Contains(HasSubstr("\"w\" is constant"))));
  EXPECT_EQ(report.wall_points, 8);
  const auto data = result();
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.schema().channels, (std::vector<field::Column>{{"u", ""}, {"v", ""}, {"p", ""}}));
  const auto c = data.load(1);
  EXPECT_EQ(c.time, 1);
  ASSERT_EQ(c.mesh->size(), 32);
  ASSERT_EQ(c.mesh->points.cols(), 2);
  for (Index i = 0; i < 32; ++i) {
    const double x = c.mesh->points(i, 0), y = c.mesh->points(i, 1);
    EXPECT_NEAR(c.fields(i, 0), FoamCaseWriter::u(x, y, 1), 1e-5);
    EXPECT_NEAR(c.fields(i, 2), FoamCaseWriter::p(x, y, 1), 1e-5);
  }
  ASSERT_TRUE(c.mesh->wall);
  const auto& wall = *c.mesh->wall;
  ASSERT_EQ(wall.size(), 8);
  for (Index i = 0; i < 8; ++i) {
    EXPECT_NEAR(wall.points(i, 1), 0, 1e-6);
    EXPECT_NEAR(wall.normals(i, 1), 1, 1e-6) << "into the fluid";
    EXPECT_NEAR(wall.areas[i], 0.25, 1e-6) << "a length in 2-D";
    EXPECT_EQ(c.wall_fields(i, 0), 0);
    EXPECT_NEAR(c.wall_fields(i, 2), FoamCaseWriter::p(wall.points(i, 0), 0, 1), 1e-5);
  }
}

TEST_F(ImportOpenFoam, AFoamFileStandsForItsFolder) {
  write_file(folder_ / "channel" / "channel.foam", "");
  auto r = flow();
  r.files = {(folder_ / "channel" / "channel.foam").string()};
  r.patches = {"top", "wall"};
  EXPECT_EQ(import(r).cases, 3);
  EXPECT_EQ(result().mesh(0)->wall->size(), 16);
  r.patches = {"bottom"};
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("no patch \"bottom\""), HasSubstr("wall, inlet")));
}

TEST_F(ImportOpenFoam, DamagedCasesAreErrors) {
  auto r = flow();
  r.arrays = {"T"};
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("no cell array \"T\""), HasSubstr("U, p")));
  const auto file = folder_ / "channel" / "1" / "U";
  const auto text = read_file(file);
  write_file(file, text.substr(0, text.size() / 2));
  EXPECT_THAT(error_of(flow()), HasSubstr("time 1"));
  std::filesystem::remove(folder_ / "channel" / "constant" / "polyMesh" / "boundary");
  EXPECT_THAT(error_of(flow()), HasSubstr("blockMesh"));
}

}  // namespace
}  // namespace fluidsplat::importing

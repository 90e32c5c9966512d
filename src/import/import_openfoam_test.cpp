// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"
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

// Every file of a case, cut short or with a number that is wrong: an Error, or data where nothing shows that it is
// wrong (the place of a point), but never a crash.  A mesh that is damaged is refused by the name of the case.
TEST_F(ImportOpenFoam, WhateverIsDamagedIsNeverACrash) {
  const auto channel = folder_ / "channel";
  const auto first_number = [](const std::string& text) {
    const auto at = text.find_first_of("0123456789", text.find('}'));
    return std::pair(at, text.find_first_not_of("0123456789", at) - at);
  };
  const auto try_with = [&](const std::filesystem::path& file, const std::string& text) {
    const auto good = read_file(file);
    write_file(file, text);
    const auto said = error_of(flow());
    write_file(file, good);
    return said;
  };
  for (const char* name : {"points", "faces", "owner", "neighbour", "boundary"}) {
    const auto file = channel / "constant" / "polyMesh" / name;
    const auto good = read_file(file);
    for (const double share : {0.0, 0.2, 0.5, 0.9})
      EXPECT_THAT(try_with(file, good.substr(0, std::size_t(share * double(good.size())))), HasSubstr("channel"))
          << name << " cut at " << share;
    const auto [at, length] = first_number(good);
    for (const char* count : {"0", "1", "7", "99999", "4000000000", "99999999999999999999", "-1", "x"})
      EXPECT_THAT(try_with(file, std::string(good).replace(at, length, count)), HasSubstr("channel"))
          << name << " with the count " << count;
    std::filesystem::rename(file, channel / "aside");
    EXPECT_THAT(error_of(flow()), HasSubstr("channel")) << "without " << name;
    std::filesystem::rename(channel / "aside", file);
  }
  for (const char* name : {"1/U", "1/p"}) {
    const auto good = read_file(channel / name);
    for (const double share : {0.0, 0.2, 0.5, 0.9})
      EXPECT_THAT(try_with(channel / name, good.substr(0, std::size_t(share * double(good.size())))),
                  HasSubstr("channel"))
          << name << " cut at " << share;
    for (const char* count : {"31", "33", "4000000000", "-1"}) {
      auto bad = good;
      const auto at = bad.find("\n32\n");
      EXPECT_THAT(try_with(channel / name, bad.replace(at + 1, 2, count)), HasSubstr("channel")) << name << count;
    }
  }
}

// Numbers in the middle of the mesh that name points, faces and cells that are not there.
TEST_F(ImportOpenFoam, LabelsThatPointNowhereAreErrors) {
  Random random(5);
  for (const char* name : {"faces", "owner", "neighbour", "boundary"}) {
    const auto file = folder_ / "channel" / "constant" / "polyMesh" / name;
    const auto good = read_file(file);
    const auto begin = good.find("(\n");
    for (int trial = 0; trial < 12; ++trial) {
      auto at = begin + std::size_t(random.uniform(0, double(good.size() - begin)));
      at = good.find_first_of(" (\n", at);  // a whole number follows
      at = good.find_first_of("0123456789", at);
      if (at == std::string::npos) continue;
      const auto length = good.find_first_not_of("0123456789", at) - at;
      for (const char* label : {"-1", "-2147483648", "99999", "2147483647", "x", ""}) {
        write_file(file, std::string(good).replace(at, length, label));
        const auto said = error_of(flow());
        EXPECT_THAT(said, HasSubstr("channel")) << name << ", byte " << at << ": " << label;
      }
    }
    write_file(file, good);
  }
}

}  // namespace
}  // namespace fluidsplat::importing

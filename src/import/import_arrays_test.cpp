// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "base/atomic_file.h"
#include "import/import_fixture.h"
#include "io/npy.h"
#include "io/npz.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
const float kNan = std::numeric_limits<float>::quiet_NaN();

io::Array array(std::vector<Index> shape, const std::function<float(Index)>& value) {
  std::vector<float> values;
  for (Index i = 0; i < io::checked_count(shape, "test"); ++i) values.push_back(value(i));
  return io::Array::from<float>(std::move(shape), values);
}

class ImportArrays : public ImportFixture {};

TEST_F(ImportArrays, AGridWithLandKeepsItsWaterAndFindsTheCoast) {
  // 3 frames of 4 x 5 values; the second row's middle three are land.
  io::write_npy(folder_ / "sea.npy", array({3, 4, 5}, [](Index i) {
                  const auto cell = i % 20;
                  return cell >= 6 && cell <= 8 ? kNan : float(i);
                }));
  auto r = recipe("sea.npy");
  r.channels = {"level"};
  r.units = {"m"};
  r.spacing = {2, 3};
  r.origin = {10, -1};
  r.time_step = 0.5;
  r.title = "A sea";
  const auto report = import(r);
  EXPECT_EQ(report.cases, 3);
  EXPECT_EQ(report.points_most, 17);
  EXPECT_EQ(report.dropped, 0);
  EXPECT_NEAR(report.no_data_share, 3.0 / 20, 1e-12);
  const auto data = result();
  EXPECT_EQ(data.title(), "A sea");
  EXPECT_EQ(data.mesh_count(), 1);
  EXPECT_EQ(data.schema().channels, (std::vector<field::Column>{{"level", "m"}}));
  const auto c = data.load(2);
  EXPECT_EQ(c.time, 1.0);
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(4, 5));
  for (std::size_t p = 0; p < c.mesh->grid_cell.size(); ++p) {
    const auto cell = c.mesh->grid_cell[p];
    const Index row = p;
    EXPECT_EQ(c.fields(row, 0), float(40 + cell));
    EXPECT_EQ(c.mesh->points(row, 0), float(10 + 2 * (cell % 5)));
    EXPECT_EQ(c.mesh->points(row, 1), float(-1 + 3 * (cell / 5)));
  }
  // The coast: 3 above, 3 below, one on each side; normals point away from the land.
  ASSERT_EQ(c.mesh->surface.size(), 8u);
  for (std::size_t s = 0; s < 8; ++s) {
    const Index row = s;
    const auto cell = c.mesh->grid_cell[c.mesh->surface[s]];
    EXPECT_NEAR(c.mesh->normals.row(row).norm(), 1, 1e-6);
    const float from_land_x = float(cell % 5 - 2), from_land_y = float(cell / 5 - 1);
    EXPECT_GT(c.mesh->normals(row, 0) * from_land_x + c.mesh->normals(row, 1) * from_land_y, 0) << cell;
  }
}

TEST_F(ImportArrays, NormalsFollowCoordinatesThatFall) {
  // Latitudes: the first row lies north.
  io::write_npz(folder_ / "a.npz", {{"u", array({1, 3, 3}, [](Index i) { return i < 3 ? kNan : 1.0f; })},
                                    {"lat", array({3}, [](Index i) { return 60.0f - float(i); })},
                                    {"lon", array({3}, [](Index i) { return float(i); })}});
  auto r = recipe("a.npz");
  r.arrays = {"u"};
  r.layout = "tyx";
  r.x = "lon";
  r.y = "lat";
  import(r);
  const auto mesh = result().mesh(0);
  ASSERT_EQ(mesh->surface.size(), 3u);
  EXPECT_EQ(mesh->points(0, 1), 59);
  EXPECT_LT(mesh->normals(1, 1), -0.9f) << "the land is north, the normal points south";
}

TEST_F(ImportArrays, EveryAxisOrderGivesTheSameDataset) {
  const auto value = [](Index t, Index z, Index y, Index x, Index c) {
    return float(t * 1000 + z * 100 + y * 10 + x) + 0.5f * float(c);
  };
  const std::map<char, Index> extent = {{'t', 2}, {'z', 3}, {'y', 4}, {'x', 5}, {'c', 2}};
  for (const std::string layout : {"tzyxc", "tczyx", "zyxtc", "cxyzt"}) {
    std::vector<Index> shape;
    for (char l : layout) shape.push_back(extent.at(l));
    io::write_npy(folder_ / "a.npy", array(shape, [&](Index flat) {
                    std::map<char, Index> at;
                    for (std::size_t k = layout.size(); k-- > 0; flat /= shape[k]) at[layout[k]] = flat % shape[k];
                    return value(at['t'], at['z'], at['y'], at['x'], at['c']);
                  }));
    auto r = recipe("a.npy");
    r.layout = layout;
    r.channels = {"u", "v"};
    import(r);
    const auto data = result();
    ASSERT_EQ(data.size(), 2) << layout;
    const auto c = data.load(1);
    EXPECT_THAT(c.mesh->grid_shape, ElementsAre(3, 4, 5)) << layout;
    for (Index p = 0; p < 60; ++p)
      for (int k = 0; k < 2; ++k)
        ASSERT_EQ(c.fields(p, k), value(1, p / 20, p / 5 % 4, p % 5, k)) << layout << " point " << p;
    EXPECT_EQ(c.mesh->points(59, 0), 4);
    EXPECT_EQ(c.mesh->points(59, 2), 2);
  }
}

TEST_F(ImportArrays, ScatteredPointsOfEachCaseAndEqualOnesShared) {
  // Cases 0 and 1 have the same points, case 2 others.
  io::write_npz(folder_ / "cars.npz",
                {{"p", array({3, 6}, [](Index i) { return float(i); })},
                 {"xyz", array({3, 6, 3}, [](Index i) { return float(i % 18 * (i < 36 ? 1 : 2)); })},
                 {"speed", array({3}, [](Index i) { return float(10 * i); })}});
  auto r = recipe("cars.npz");
  r.arrays = {"p"};
  r.points = "xyz";
  r.surface = "all";
  r.descriptors = {"speed"};
  r.descriptor_units = {"m/s"};
  import(r);
  const auto data = result();
  EXPECT_EQ(data.mesh_count(), 2);
  EXPECT_EQ(data.mesh_of(1), 0);
  EXPECT_EQ(data.mesh_of(2), 1);
  const auto c = data.load(2);
  EXPECT_EQ(c.mesh->surface.size(), 6u);
  EXPECT_EQ(c.mesh->points(1, 0), 6);
  EXPECT_EQ(c.fields(0, 0), 12);
  EXPECT_EQ(c.descriptors[0], 20);
  EXPECT_EQ(data.schema().descriptors[0].unit, "m/s");
}

// Cases 0 and 2 have the same points, of which one has no data in case 2.
TEST_F(ImportArrays, AMeshThatComesBackIsTheSameMesh) {
  io::write_npz(folder_ / "a.npz",
                {{"p", array({3, 6}, [](Index i) { return i == 13 ? kNan : float(i); })},
                 {"xyz", array({3, 6, 3}, [](Index i) { return float(i % 18) + (i / 18 == 1 ? 0.5f : 0.0f); })}});
  auto r = recipe("a.npz");
  r.arrays = {"p"};
  r.points = "xyz";
  const auto report = import(r);
  EXPECT_EQ(report.meshes, 2);
  EXPECT_EQ(report.dropped, 1);
  EXPECT_EQ(report.points_least, 5);
  EXPECT_EQ(report.points_most, 6);
  EXPECT_EQ(result().mesh_of(2), 0);
  EXPECT_EQ(result().load(0).fields(1, 0), 2) << "point 1 is left out here too";
  r.moving = "error";
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("a-00002"), HasSubstr("point 1 ")));
  r.moving = "own-mesh";
  EXPECT_EQ(import(r).meshes, 3);
}

TEST_F(ImportArrays, PaddingOfSmallCloudsIsLeftOut) {
  const auto padded = [](Index point, float value) { return point >= 8 ? kNan : value; };
  io::write_npz(folder_ / "a.npz", {{"p", array({2, 5}, [&](Index i) { return padded(i, float(i)); })},
                                    {"xy", array({2, 5, 2}, [&](Index i) { return padded(i / 2, float(i)); })}});
  auto r = recipe("a.npz");
  r.arrays = {"p"};
  r.points = "xy";
  import(r);
  EXPECT_EQ(result().load(0).mesh->size(), 5);
  EXPECT_EQ(result().load(1).mesh->size(), 3);
  EXPECT_EQ(result().load(1).fields(2, 0), 7);
}

TEST_F(ImportArrays, CasesLaidEndToEnd) {
  const auto plain = [](Index i) { return float(i); };
  io::write_npz(folder_ / "foils.npz", {{"cp", array({10}, plain)},
                                        {"xy", array({10, 2}, plain)},
                                        {"x", array({10}, [](Index i) { return float(2 * i); })},
                                        {"y", array({10}, [](Index i) { return float(2 * i + 1); })},
                                        {"start", io::Array::from<std::int64_t>({4}, std::vector<Index>{0, 3, 7, 10})},
                                        {"bad", io::Array::from<std::int64_t>({3}, std::vector<Index>{0, 7, 3})},
                                        {"wall", io::Array::from<std::int64_t>({3}, std::vector<Index>{1, 4, 6})},
                                        {"Re", array({3}, plain)}});
  auto r = recipe("foils.npz");
  r.arrays = {"cp"};
  r.points = "xy";
  r.offsets = "start";
  r.descriptors = {"Re"};
  r.surface = "array";
  r.surface_array = "wall";
  import(r);
  const auto data = result();
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.mesh_count(), 3);
  const auto c = data.load(1);
  ASSERT_EQ(c.mesh->size(), 4);
  EXPECT_EQ(c.fields(0, 0), 3);
  EXPECT_EQ(c.mesh->points(3, 1), 13);
  EXPECT_THAT(c.mesh->surface, ElementsAre(1, 3));
  EXPECT_EQ(c.descriptors[0], 1);

  auto lists = r;
  lists.points.clear();
  lists.layout = "n";
  lists.x = "x";
  lists.y = "y";
  import(lists);
  EXPECT_EQ(result().load(1).mesh->points, c.mesh->points);
  EXPECT_EQ(result().load(1).mesh->surface, c.mesh->surface);
  lists.y.clear();
  EXPECT_THAT(error_of(lists), HasSubstr("points need y"));

  r.offsets = "bad";
  EXPECT_THAT(error_of(r), HasSubstr("must rise"));
}

TEST_F(ImportArrays, SeveralArraysMaskFillValueFeaturesTimes) {
  io::write_npz(
      folder_ / "run.npz",
      {{"u", array({2, 3, 4}, [](Index i) { return float(i); })},
       {"v", array({2, 3, 4}, [](Index i) { return i % 12 == 5 ? -9999.0f : 1.0f; })},
       {"wet", io::Array::from<std::uint8_t>({3, 4}, std::vector<std::uint8_t>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})},
       {"depth", array({3, 4}, [](Index i) { return float(2 * i); })},
       {"t", array({2}, [](Index i) { return 7.0f + float(i * i); })}});
  auto r = recipe("run.npz");
  r.arrays = {"u", "v"};
  r.mask = "wet";
  r.no_data = {-9999};
  r.features = {"depth"};
  r.times = "t";
  r.surface = "none";
  import(r);
  const auto data = result();
  const auto c = data.load(1);
  EXPECT_EQ(c.mesh->size(), 10);
  EXPECT_EQ(c.time, 8);
  EXPECT_TRUE(c.mesh->surface.empty());
  EXPECT_EQ(data.schema().channels[1].name, "v");
  EXPECT_EQ(c.fields(0, 0), 13);
  EXPECT_EQ(c.mesh->features(0, 0), 2);
  EXPECT_EQ(c.mesh->grid_cell[4], 6) << "cell 5 holds the fill value";
  r.mask_inverted = true;
  import(r);
  EXPECT_EQ(result().mesh(0)->size(), 1);
}

TEST_F(ImportArrays, FilesOfOneCaseWithAMaskAmongTheChannels) {
  // As two airfoil files: free stream, mask (1 inside the body), pressure.
  for (int f : {2, 10})
    io::write_npz(folder_ / fmt::format("foil_{}.npz", f), {{"a", array({3, 3, 4}, [&](Index i) {
                                                               if (i / 12 == 1) return i % 12 == f / 2 ? 1.0f : 0.0f;
                                                               return float(i + 100 * f);
                                                             })}});
  write_file(folder_ / "cases.csv", "case,angle,time\nfoil_10,5.5,2\nfoil_2,-1,1\n");
  Recipe r;
  r.files = {(folder_ / "foil_*.npz").string()};
  r.layout = "cyx";
  r.select = {2};
  r.channels = {"p"};
  r.mask_channel = 1;
  r.mask_inverted = true;
  r.moving = "own-mesh";
  r.cases = (folder_ / "cases.csv").string();
  const auto report = import(r);
  EXPECT_EQ(report.meshes, 2);
  const auto data = result();
  ASSERT_EQ(data.size(), 2);
  const auto first = data.load(0), second = data.load(1);
  EXPECT_EQ(first.name, "foil_2") << "2 comes before 10";
  EXPECT_EQ(first.descriptors[0], -1);
  EXPECT_EQ(first.time, 1);
  EXPECT_EQ(second.descriptors[0], 5.5f);
  EXPECT_EQ(first.mesh->size(), 11);
  EXPECT_EQ(first.fields(1, 0), 24 + 200 + 2) << "cell 1 is the body";
  EXPECT_EQ(second.mesh->grid_cell[5], 6);
  EXPECT_EQ(second.mesh->surface.size(), 4u);
}

TEST_F(ImportArrays, NoDataThatMovesIsDroppedKeptOrRefusedAsAsked) {
  io::write_npy(folder_ / "a.npy", array({3, 4, 6}, [](Index i) {
                  const auto t = i / 24, cell = i % 24;
                  return cell == 0 || (t == 1 && cell == 7) ? kNan : float(i);
                }));
  auto r = recipe("a.npy");
  auto report = import(r);
  EXPECT_EQ(report.dropped, 1);
  EXPECT_EQ(report.points_most, 22);
  EXPECT_EQ(report.meshes, 1);
  r.moving = "own-mesh";
  report = import(r);
  EXPECT_EQ(report.dropped, 0);
  EXPECT_EQ(report.meshes, 2);
  EXPECT_EQ(result().load(1).mesh->size(), 22);
  EXPECT_EQ(result().load(2).mesh->size(), 23);
  r.moving = "error";
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("a-00001"), HasSubstr("point 7"), HasSubstr("own-mesh")));
}

TEST_F(ImportArrays, MistakesNameTheFileTheFieldAndTheRemedy) {
  const auto plain = [](Index i) { return float(i); };
  io::write_npz(folder_ / "a.npz", {{"u", array({4, 5, 6}, plain)},
                                    {"v", array({4, 5, 7}, plain)},
                                    {"mask", array({5, 5}, plain)},
                                    {"t", array({3}, plain)},
                                    {"xy", array({30, 4}, plain)}});
  io::write_npy(folder_ / "nan.npy", array({4, 5, 6}, [](Index) { return kNan; }));
  io::write_npy(folder_ / "4d.npy", array({4, 5, 6, 3}, plain));
  io::write_npy(folder_ / "whole.npy", array({4, 5, 6}, plain));
  const auto whole = read_file(folder_ / "whole.npy");
  write_file(folder_ / "half.npy", whole.substr(0, whole.size() / 2));
  write_file(folder_ / "two.csv", "speed\n1\n2\n");
  write_file(folder_ / "text.csv", "speed\n1\nfast\n3\n4\n");
  const auto says = [&](const std::string& file, const std::function<void(Recipe&)>& change) {
    auto r = recipe(file);
    change(r);
    return error_of(r);
  };
  const auto nothing = [](Recipe&) {};
  EXPECT_THAT(says("missing.npy", nothing), AllOf(HasSubstr("missing.npy"), HasSubstr("no such file")));
  EXPECT_THAT(says("none-*.npy", nothing), HasSubstr("no file matches"));
  EXPECT_THAT(says("half.npy", nothing), AllOf(HasSubstr("half.npy"), HasSubstr("cut short")));
  EXPECT_THAT(says("a.npz", nothing), AllOf(HasSubstr("arrays = "), HasSubstr("mask")));
  EXPECT_THAT(says("a.npz", [](Recipe& r) { r.arrays = {"uu"}; }), HasSubstr("did you mean \"u\"?"));
  EXPECT_THAT(says("a.npz", [](Recipe& r) { r.arrays = {"u", "v"}; }), AllOf(HasSubstr("[v]"), HasSubstr("one shape")));
  EXPECT_THAT(says("a.npz", [](Recipe& r) { r.arrays = {"u"}, r.mask = "mask"; }),
              AllOf(HasSubstr("[mask]"), HasSubstr("(5, 5)"), HasSubstr("(5, 6)")));
  EXPECT_THAT(says("a.npz", [](Recipe& r) { r.arrays = {"u"}, r.times = "t"; }), HasSubstr("3 times for 4 cases"));
  EXPECT_THAT(says("a.npz", [](Recipe& r) { r.arrays = {"u"}, r.points = "xy"; }), HasSubstr("(30, 4)"));
  EXPECT_THAT(says("a.npz", [](Recipe& r) { r.arrays = {"u"}, r.units = {"m", "s"}; }), HasSubstr("2 units"));
  EXPECT_THAT(says("nan.npy", nothing), HasSubstr("no point has data"));
  EXPECT_THAT(says("4d.npy", nothing), HasSubstr("layout = "));
  EXPECT_THAT(says("4d.npy", [](Recipe& r) { r.layout = "tyxc", r.channels = {"u"}; }), HasSubstr("holds 3"));
  EXPECT_THAT(says("4d.npy",
                   [](Recipe& r) {
                     r.layout = "tyxc", r.channels = {"u", "v", "u"};
                   }),
              HasSubstr("called \"u\""));
  EXPECT_THAT(says("4d.npy", [](Recipe& r) { r.layout = "tyxc", r.select = {7}; }), HasSubstr("0 to 2"));
  EXPECT_THAT(says("whole.npy", [](Recipe& r) { r.spacing = {1, 2, 3}; }), HasSubstr("spacing"));
  EXPECT_THAT(says("whole.npy", [](Recipe& r) { r.domain_low = {0, 0}, r.domain_high = {2, 2}; }), HasSubstr("domain"));
  EXPECT_THAT(says("whole.npy", [&](Recipe& r) { r.cases = (folder_ / "two.csv").string(); }),
              HasSubstr("2 rows for 4 cases"));
  EXPECT_THAT(says("whole.npy", [&](Recipe& r) { r.cases = (folder_ / "text.csv").string(); }),
              AllOf(HasSubstr("row 2"), HasSubstr("\"fast\"")));
  EXPECT_THAT(says("whole.npy",
                   [&](Recipe& r) {
                     r.cases = (folder_ / "text.csv").string();
                     r.descriptors = {"angle"};
                   }),
              HasSubstr("no column \"angle\""));
}

}  // namespace
}  // namespace fluidsplat::importing

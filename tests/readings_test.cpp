// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Readings and requests that are unlike what a model was trained on.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "io/csv.h"
#include "io/npy.h"
#include "io/pvd.h"
#include "io/vtk.h"
#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ReadingsTest : public WaveTest {
 protected:
  void SetUp() override {
    WaveTest::SetUp();
    cut_a_body();
    // Places that do not look alike from both ends: else columns in reverse would be a wave that runs the other way.
    ASSERT_EQ(fluidsplat({"train", "wave.toml", "train.steps=5", "data.file=body.h5",
                          "sensors.cells=[[1, 0], [2, 1], [4, 3], [5, 5], [6, 9], [5, 11]]"})
                  .exit_code,
              0);
    ASSERT_EQ(fluidsplat({"readings", "run", "--data", "body.h5", "--out", "r.csv"}).exit_code, 0);
    table_ = io::read_csv(folder_ / "r.csv");
  }
  // The wave around a body of 5 x 4 cells without data, at x 6 to 10 and y 0 to 3.
  void cut_a_body() {
    const field::DatasetFile whole(folder_ / "wave.h5");
    auto mesh = std::make_shared<field::Mesh>();
    const auto all = whole.mesh(0);
    mesh->grid_shape = all->grid_shape;
    std::vector<Index> kept;
    for (Index i = 0; i < all->size(); ++i)
      if (!(i % 12 >= 6 && i % 12 <= 10 && i / 12 <= 3)) kept.push_back(i);
    mesh->points = all->points(kept, Eigen::all);
    mesh->features.resize(mesh->size(), 0);
    mesh->grid_cell = kept;
    field::DatasetWriter writer(folder_ / "body.h5", whole.schema());
    for (Index k = 0; k < whole.size(); ++k) {
      auto c = whole.load(k);
      c.fields = field::Matrix(c.fields(kept, Eigen::all));
      c.mesh = mesh;
      writer.add(c);
    }
    writer.commit();
  }
  Outcome reconstruct(const io::Table& table, const std::vector<std::string>& more = {}) {
    io::write_csv(folder_ / "changed.csv", table);
    std::vector<std::string> arguments = {"reconstruct", "run",   "--readings",  "changed.csv",
                                          "--grid",      "24x16", "--field-only"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return fluidsplat(arguments);
  }

  io::Table table_;
};

TEST_F(ReadingsTest, ReadingsOfTheDataPass) {
  const auto outcome = reconstruct(table_, {"--strict"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

// What is written is what is read: nothing of it is missing, and the short form means the same.
TEST_F(ReadingsTest, ColumnsHaveOneSpelling) {
  EXPECT_EQ(table_.header, (std::vector<std::string>{"time", "s1.w", "s2.w", "s3.w", "s4.w", "s5.w", "s6.w"}));
  ASSERT_EQ(fluidsplat({"readings", "run", "--out", "empty.csv"}).exit_code, 0);
  EXPECT_EQ(io::read_csv(folder_ / "empty.csv").header, table_.header) << "the table to fill in";
  auto shorter = table_;
  for (auto& name : shorter.header) name = name.substr(0, name.find('.'));
  EXPECT_EQ(reconstruct(table_, {"--format", "npy", "--out", "full"}).err, "");
  EXPECT_EQ(reconstruct(shorter, {"--format", "npy", "--out", "short"}).err, "");
  EXPECT_TRUE(contents("full/field.npy") == contents("short/field.npy"));
}

TEST_F(ReadingsTest, WrongUnitsValuesAndOrderAreSaidAndRefusedWhenStrict) {
  auto wild = table_, units = table_, reversed = table_;
  wild.columns[2][3] = 1e6;
  for (std::size_t c = 1; c < units.columns.size(); ++c)
    for (double& v : units.columns[c]) v *= 101325;
  std::reverse(reversed.columns.begin() + 1, reversed.columns.end());
  const auto says = [&](const io::Table& table, const char* what) {
    const auto warned = reconstruct(table);
    EXPECT_EQ(warned.exit_code, 0) << warned.err;
    EXPECT_THAT(warned.err, AllOf(HasSubstr("warning: changed.csv: row "), HasSubstr(what)));
    fs::remove_all(folder_ / "none");
    const auto refused = reconstruct(table, {"--strict", "--out", "none"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr(what));
    EXPECT_FALSE(fs::exists(folder_ / "none"));
  };
  says(wild, "row 4: far outside what training saw: s2.w = 1e+06 (in training -");
  says(units, "far outside what training saw: s1.w = ");
  says(reversed, "fit");
  EXPECT_THAT(reconstruct(wild).err, Not(HasSubstr("row 3"))) << "other rows are fine";
}

TEST_F(ReadingsTest, EmptyRowsAreSkippedAndDoubleColumnsRefused) {
  auto table = table_;
  for (std::size_t c = 1; c < table.columns.size(); ++c) table.columns[c][1] = std::nan("");
  const auto outcome = reconstruct(table, {"--out", "gap"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("changed.csv: nothing was said in row 2; skipped"));
  EXPECT_EQ(io::read_pvd(folder_ / "gap/field.pvd").size(), table.rows() - 1);
  write_file(folder_ / "two.csv", "s1,s2,s1\n1,2,3\n");
  EXPECT_THAT(fluidsplat({"reconstruct", "run", "--readings", "two.csv"}).err,
              HasSubstr("two columns are called \"s1\""));
  write_file(folder_ / "two.csv", "s1,s2,s1.w\n1,2,3\n");
  EXPECT_THAT(fluidsplat({"reconstruct", "run", "--readings", "two.csv"}).err,
              HasSubstr("\"s1.w\" and \"s1\" mean the same"));
}

TEST_F(ReadingsTest, NothingIsMadeUpInsideABody) {
  ASSERT_EQ(fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--out", "fields"}).exit_code, 0);
  const auto image = io::read_vtk(folder_ / "fields" / io::read_pvd(folder_ / "fields/field.pvd")[0].file);
  EXPECT_EQ(image.dimensions[0], 256);
  const auto values = image.find_point_data("w")->values;
  Index nan = 0;
  for (Index i = 0; i < std::ssize(values); ++i) {
    const double x = image.origin[0] + image.spacing[0] * double(i % image.dimensions[0]);
    const double y = image.origin[1] + image.spacing[1] * double(i / image.dimensions[0]);
    const bool body = x > 5.55 && x < 10.45 && y < 3.45, fluid = x < 5.45 || x > 10.55 || y > 3.55;
    nan += std::isnan(values[i]);
    if (body) {
      ASSERT_TRUE(std::isnan(values[i])) << x << ", " << y;
    }
    if (fluid) {
      ASSERT_FALSE(std::isnan(values[i])) << x << ", " << y;
    }
  }
  EXPECT_GT(nan, 0);
  // On a mesh of the user's it is said.
  ASSERT_EQ(fluidsplat({"data", "export", "wave.h5", "--out", "whole", "--count", "1"}).exit_code, 0);
  const auto mesh = io::read_pvd(folder_ / "whole/cases.pvd")[0].file;
  EXPECT_THAT(fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--mesh", "whole/" + mesh}).err,
              HasSubstr("of the points lie where training had no data"));
}

TEST_F(ReadingsTest, SensorsOutsideOrInTheBodyAreRefused) {
  const auto refused = [&](const char* place, const std::vector<std::string>& more) {
    write_file(folder_ / "s.csv", fmt::format("name,x,y\na,1,1\nb,{}\n", place));
    write_file(folder_ / "ab.csv", "a,b\n0.1,0.2\n");
    std::vector<std::string> arguments = {"reconstruct", "run", "--readings", "ab.csv", "--sensors", "s.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto outcome = fluidsplat(arguments);
    if (outcome.exit_code == 0) return std::string();
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("s.csv"), HasSubstr("\"b\"")));
    return outcome.err;
  };
  for (const auto& more : std::vector<std::vector<std::string>>{{}, {"--data", "body.h5"}}) {
    EXPECT_THAT(refused("40,3", more), HasSubstr("outside the domain"));
    EXPECT_THAT(refused("8,1", more), HasSubstr("body, land or a hole"));
    EXPECT_EQ(refused("8,3", more), "") << "a wall sensor, a cell from the fluid";
    EXPECT_EQ(refused("7,5", more), "");
  }
}

TEST_F(ReadingsTest, ArraysMatchTheirPointsAndALongerSeriesLeavesNothingBehind) {
  ASSERT_EQ(reconstruct(table_, {"--format", "npy", "--out", "npy"}).exit_code, 0);
  const auto field = io::read_npy(folder_ / "npy/field.npy"), points = io::read_npy(folder_ / "npy/points.npy");
  EXPECT_EQ(field.shape, (std::vector<Index>{10, 16, 24, 1}));
  EXPECT_EQ(points.shape, (std::vector<Index>{16, 24, 2}));
  const auto xy = points.as<double>();
  EXPECT_NEAR(xy[2 * (24 + 1)], 11.0 / 23, 1e-5);
  EXPECT_NEAR(xy[2 * (24 + 1) + 1], 7.0 / 15, 1e-5);

  ASSERT_EQ(reconstruct(table_, {"--out", "vtk"}).exit_code, 0);
  write_file(folder_ / "vtk/field_mine.vti", "mine");
  auto shorter = table_;
  for (auto& column : shorter.columns) column.resize(3);
  ASSERT_EQ(reconstruct(shorter, {"--out", "vtk"}).exit_code, 0);
  Index files = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "vtk")) files += entry.path().extension() == ".vti";
  EXPECT_EQ(files, 4) << "three instants and a file of the user's";
}

TEST_F(ReadingsTest, ReadingsAndFieldsGoThroughPipes) {
  const auto command = fmt::format(
      "cd '{}' && cat r.csv | '{}' reconstruct run --readings - --grid 24x16 --format npy --out - > piped.npy 2> said",
      folder_.path().string(), FLUIDSPLAT_PROGRAM);
  ASSERT_EQ(std::system(command.c_str()), 0) << contents("said");
  ASSERT_EQ(reconstruct(table_, {"--format", "npy", "--out", "npy"}).exit_code, 0);
  EXPECT_TRUE(contents("piped.npy") == contents("npy/field.npy"));
  EXPECT_EQ(fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--out", "-"}).exit_code, 1) << "VTK in a pipe";
}

// Rings of points around a circle, on which the pressure is that of a body that is pushed to and fro.
TEST_F(WaveTest, ForcesAndThePressureAlongTheWallOverTime) {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"p", "Pa"}};
  auto mesh = std::make_shared<field::Mesh>();
  constexpr Index kRing = 40, kRings = 5;
  mesh->points.resize(kRing * kRings, 2);
  mesh->features.resize(kRing * kRings, 0);
  mesh->normals.resize(kRing, 2);
  for (Index i = 0; i < mesh->size(); ++i) {
    const double t = 2 * M_PI * double(i % kRing) / kRing, r = 1 + 0.2 * double(i / kRing);
    mesh->points.row(i) << float(r * std::cos(t)), float(r * std::sin(t));
    if (i >= kRing) continue;
    mesh->surface.push_back(i);
    mesh->normals.row(i) = mesh->points.row(i);
  }
  field::DatasetWriter writer(folder_ / "ring.h5", schema);
  for (int k = 0; k < 20; ++k) {
    field::Case c;
    c.mesh = mesh;
    c.time = 0.5 * k;
    c.fields = -std::sin(0.5f * float(k)) * mesh->points.col(0);
    writer.add(c);
  }
  writer.commit();
  const auto ran = [&](std::vector<std::string> arguments) {
    const auto outcome = fluidsplat(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  ran({"train", "wave.toml", "data.file=ring.h5", "train.steps=5", "sensors.kind=wall", "sensors.count=4"});
  ran({"readings", "run", "--data", "ring.h5", "--out", "r.csv"});
  const std::vector<std::string> settings = {
      "forces.channel=p",           "forces.kind=gauge", "forces.density=1",
      "forces.velocity=1.4",        "forces.length=2",   "forces.drag_direction=[1, 0]",
      "forces.moment_centre=[0, 0]"};
  std::vector<std::string> arguments = {"reconstruct", "run",   "--readings", "r.csv",   "--data",
                                        "ring.h5",     "--out", "fields",     "--forces"};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  EXPECT_THAT(ran(arguments), HasSubstr("forces.csv, wall_pressure.csv, forces.svg, wall_pressure.svg"));
  const auto forces = io::read_csv(folder_ / "fields/forces.csv"),
             pressure = io::read_csv(folder_ / "fields/wall_pressure.csv");
  EXPECT_EQ(forces.header, (std::vector<std::string>{"time", "drag", "lift", "moment"}));
  EXPECT_EQ(forces.rows(), 10u);
  EXPECT_EQ(pressure.header, (std::vector<std::string>{"time", "arclength", "x", "y", "cp"}));
  EXPECT_EQ(pressure.rows(), 10u * kRing);
  for (const char* chart : {"fields/forces.svg", "fields/wall_pressure.svg"})
    EXPECT_THAT(contents(chart), HasSubstr("<svg"));
  const auto plain = fluidsplat({"reconstruct", "run", "--readings", "r.csv", "--out", "none", "--forces",
                                 "forces.channel=p", "forces.kind=gauge", "forces.length=2"});
  EXPECT_THAT(plain.err, AllOf(HasSubstr("a plain grid has none"), HasSubstr("--data")));

  arguments = {"eval", "run", "--data", "ring.h5", "--forces"};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  ran(arguments);
  EXPECT_THAT(contents("run/metrics.json"), HasSubstr("\"moment\""));
  ran({"report", "run", "--data", "ring.h5", "--out", "page"});
  EXPECT_THAT(contents("page/index.html"),
              AllOf(HasSubstr("Pressure forces"), HasSubstr("moment coefficient"), HasSubstr(">x (m)</text>")));
}

}  // namespace
}  // namespace fluidsplat::tests

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"
#include "import/contents.h"
#include "import/import_fixture.h"
#include "import/netcdf_fixture.h"
#include "io/hdf5.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

io::Array numbers(std::vector<Index> shape, const std::vector<double>& values) {
  return io::Array::from<double>(std::move(shape), values);
}

std::vector<double> counting(int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(i);
  return out;
}

class ImportHdf5 : public ImportFixture {};

TEST_F(ImportHdf5, ArraysAreFoundByName) {
  auto file = io::Hdf5File::create(folder_ / "a.h5");
  file.write("/flow/u", numbers({2, 3, 6}, counting(36)));
  file.write("/flow/p", numbers({2, 3, 6}, counting(36)));
  file.commit();
  auto r = recipe("a.h5");
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("flow/p (2, 3, 6), flow/u (2, 3, 6)"), HasSubstr("arrays = NAME")));
  r.arrays = {"flow/u", "flow/p"};
  import(r);
  EXPECT_EQ(result().schema().channels, (std::vector<field::Column>{{"u", ""}, {"p", ""}}));
  EXPECT_EQ(result().load(1).fields(7, 1), 25);
}

TEST_F(ImportHdf5, NetCdfTellsAxesFillValuesScaleAndOffset) {
  auto file = io::Hdf5File::create(folder_ / "sst.nc");
  auto values = counting(24);
  values[5] = -999;
  values[17] = -999;
  file.write("/sst", numbers({2, 3, 4}, values));
  file.set_attribute("/sst", "_FillValue", -999.0);
  file.set_attribute("/sst", "scale_factor", 0.5);
  file.set_attribute("/sst", "add_offset", 10.0);
  file.write("/time", numbers({2}, {7, 9}));
  file.write("/lat", numbers({3}, {-5, 0, 5}));
  file.write("/lon", numbers({4}, {100, 110, 120, 130}));
  for (const char* name : {"/time", "/lat", "/lon"}) file.set_attribute(name, "CLASS", "DIMENSION_SCALE");
  file.commit();
  ASSERT_TRUE(attach_scales((folder_ / "sst.nc").string(), "/sst", {"/time", "/lat", "/lon"}));
  import(recipe("sst.nc"));
  const auto c = result().load(1);
  EXPECT_EQ(c.time, 9);
  EXPECT_EQ(c.mesh->size(), 11) << "without the fill value";
  EXPECT_EQ(c.mesh->points.row(0), (Eigen::RowVector2f(100, -5)));
  EXPECT_EQ(c.fields(0, 0), 0.5f * 12 + 10);
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(3, 4));
}

TEST_F(ImportHdf5, MatlabArraysHaveTheirAxesAsMatlabShowsThem) {
  auto file = io::Hdf5File::create(folder_ / "a.mat");
  // size(u) = [3 4 2] in MATLAB: rows, columns, instants; HDF5 sees it reversed.
  file.write("/u", numbers({2, 4, 3}, counting(24)));
  file.set_attribute("/u", "MATLAB_class", "double");
  file.commit();
  auto r = recipe("a.mat");
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("(3, 4, 2)"), HasSubstr("layout = yxt")));
  r.layout = "yxt";
  import(r);
  ASSERT_EQ(result().size(), 2);
  EXPECT_THAT(result().load(0).mesh->grid_shape, ElementsAre(3, 4));
  EXPECT_EQ(result().load(0).fields(1, 0), 3) << "the next column";
  EXPECT_EQ(result().load(1).fields(4, 0), 12 + 1) << "the next row of the next instant";
}

TEST_F(ImportHdf5, TextsAndStructuresOfMatlabAreNotOffered) {
  auto file = io::Hdf5File::create(folder_ / "a.mat");
  file.write("/u", numbers({2, 4, 3}, counting(24)));
  file.set_attribute("/u", "MATLAB_class", "double");
  file.write("/title", numbers({30, 1}, counting(30)));
  file.set_attribute("/title", "MATLAB_class", "char");
  file.commit();
  const auto said = look_inside({(folder_ / "a.mat").string()});
  EXPECT_THAT(said.lines.front(), AllOf(HasSubstr("u (3, 4, 2)"), HasSubstr("not read"), HasSubstr("title)")));
  EXPECT_EQ(said.recipe.front(), (std::pair<std::string, std::string>("arrays", "u")));
  write_file(folder_ / "old.mat", std::string(200, '\0'));  // as those of version 4, which have no signature
  EXPECT_THAT(error_of(recipe("old.mat")), AllOf(HasSubstr("old.mat"), HasSubstr("-v7")));
}

TEST_F(ImportHdf5, WhatIsNoFileOfArraysIsRefused) {
  auto file = io::Hdf5File::create(folder_ / "a.h5");
  file.write("/u", numbers({2, 3, 6}, counting(36)));
  file.commit();
  auto r = recipe("a.h5");
  r.arrays = {"v"};
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("no array \"v\""), HasSubstr("it has: u")));
}

}  // namespace
}  // namespace fluidsplat::importing

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"
#include "import/contents.h"
#include "import/import_fixture.h"
#include "io/netcdf3_fixture.h"

namespace fluidsplat::importing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class ImportNetCdf3 : public ImportFixture {
 protected:
  // Temperatures of two instants, packed into 16 bits, with a fill value; times that grow with them.
  static std::string sea() {
    io::NetCdf3Bytes bytes(1);
    bytes.axes = {{"time", 0}, {"lat", 3}, {"lon", 4}};
    bytes.records = 2;
    std::vector<short> values;
    for (short i = 0; i < 24; ++i) values.push_back(i);
    values[5] = values[17] = -999;
    bytes.variables = {{"time", {0}, {}, 6, bytes.numbers<double>({7, 9})},
                       {"lat", {1}, {}, 5, bytes.numbers<float>({-5, 0, 5})},
                       {"lon", {2}, {}, 5, bytes.numbers<float>({100, 110, 120, 130})},
                       {"sst",
                        {0, 1, 2},
                        {bytes.number_attribute("_FillValue", -999), bytes.number_attribute("scale_factor", 0.5),
                         bytes.number_attribute("add_offset", 10)},
                        3,
                        bytes.numbers(values)}};
    return bytes.bytes();
  }
};

TEST_F(ImportNetCdf3, TheFileTellsAxesFillValuesScaleAndOffset) {
  write_file(folder_ / "sst.nc", sea());
  import(recipe("sst.nc"));
  ASSERT_EQ(result().size(), 2);
  const auto c = result().load(1);
  EXPECT_EQ(c.time, 9);
  EXPECT_EQ(c.mesh->size(), 11) << "without the fill value";
  EXPECT_EQ(c.mesh->points.row(0), (Eigen::RowVector2f(100, -5)));
  EXPECT_EQ(c.fields(0, 0), 0.5f * 12 + 10);
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(3, 4));
  const auto contents = look_inside({(folder_ / "sst.nc").string()});
  EXPECT_THAT(contents.lines, Contains(HasSubstr("sst (2, 3, 4)")));
  EXPECT_THAT(contents.lines, Contains(HasSubstr("its axes are tyx")));
  EXPECT_THAT(contents.recipe, ElementsAre(Pair("arrays", "sst")));
}

TEST_F(ImportNetCdf3, DamagedFilesAreErrors) {
  write_file(folder_ / "sst.nc", sea().substr(0, 400));
  EXPECT_THAT(error_of(recipe("sst.nc")), HasSubstr("cut short"));
  write_file(folder_ / "sst.nc", sea());
  auto r = recipe("sst.nc");
  r.arrays = {"ice"};
  EXPECT_THAT(error_of(r), HasSubstr("no array \"ice\""));
}

}  // namespace
}  // namespace fluidsplat::importing

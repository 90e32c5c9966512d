// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"
#include "import/import_fixture.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

class ImportTables : public ImportFixture {
 protected:
  // Rows of x y u v p.
  std::string rows(double shift, const char* separator = " ") {
    std::string out;
    for (int i = 0; i < 12; ++i)
      out += fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}\n", separator, i % 4, i / 4, i + shift, -i, 10 * i);
    return out;
  }
  void expect_flow(Index cases) {
    const auto data = result();
    ASSERT_EQ(data.size(), cases);
    EXPECT_EQ(data.schema().channels, (std::vector<field::Column>{{"u", ""}, {"v", ""}, {"p", ""}}));
    const auto c = data.load(1);
    EXPECT_EQ(c.mesh->points.row(6), (Eigen::RowVector2f(2, 1)));
    EXPECT_EQ(c.fields.row(6), (Eigen::RowVector3f(7, -6, 60)));
  }
};

TEST_F(ImportTables, AFolderOfTextWithNamesInAComment) {
  std::filesystem::create_directory(folder_ / "run");
  for (int i : {0, 1, 10})
    write_file(folder_ / fmt::format("run/f_{}.dat", i), "# made today\n# x y u v p\n" + rows(i));
  import(recipe("run"));
  expect_flow(3);
  EXPECT_EQ(result().load(2).name, "f_10");
}

TEST_F(ImportTables, CommasUnitsAndATime) {
  for (int i : {0, 1}) {
    std::string text = "X [m],Y [m],u,v,p,time\n";
    for (int k = 0; k < 12; ++k) text += fmt::format("{},{},{},{},{},{}\n", k % 4, k / 4, k + i, -k, 10 * k, 0.5 * i);
    write_file(folder_ / fmt::format("f_{}.csv", i), text);
  }
  import(recipe("f_*.csv"));
  expect_flow(2);
  EXPECT_EQ(result().load(1).time, 0.5);
}

TEST_F(ImportTables, WithoutNamesTheyMustBeSaid) {
  for (int i : {0, 1}) write_file(folder_ / fmt::format("f_{}.txt", i), rows(i, "\t"));
  auto r = recipe("f_*.txt");
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("f_0.txt"), HasSubstr("5 columns"), HasSubstr("columns = x,y,u,v,p")));
  r.columns = {"x", "y", "u", "v", "p"};
  import(r);
  expect_flow(2);
  r.arrays = {"p"};
  r.channels = {"pressure"};
  import(r);
  EXPECT_EQ(result().schema().channels.front().name, "pressure");
}

TEST_F(ImportTables, AFlatPlaneOfParaViewIsTwoDimensional) {
  std::string text = "\"Points:0\",\"Points:1\",\"Points:2\",\"U:0\",\"U:1\",\"U:2\"\n";
  for (int k = 0; k < 12; ++k) text += fmt::format("{},{},0.5,{},{},0\n", k % 4, k / 4, k, -k);
  write_file(folder_ / "a.csv", text);
  const auto report = import(recipe("a.csv"));
  EXPECT_THAT(report.notes, Contains(HasSubstr("\"U:2\" is constant")));
  EXPECT_EQ(result().schema().dim(), 2);
  EXPECT_EQ(result().schema().channels.size(), 2u);
}

TEST_F(ImportTables, MistakesNameTheFileAndTheRemedy) {
  write_file(folder_ / "a.csv", "a,b,p\n1,2,3\n");
  EXPECT_THAT(error_of(recipe("a.csv")), AllOf(HasSubstr("a.csv"), HasSubstr("a, b, p"), HasSubstr("x = NAME")));
  write_file(folder_ / "b.csv", "x,y,p,t\n1,2,3,0\n2,2,3,1\n");
  EXPECT_THAT(error_of(recipe("b.csv")), AllOf(HasSubstr("\"t\""), HasSubstr("a file per instant")));
}

}  // namespace
}  // namespace fluidsplat::importing

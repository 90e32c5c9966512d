// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/export_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/pvd.h"
#include "io/vtk.h"

namespace fluidsplat::mesh {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Four cases on two clouds of 3 and 5 points in turn; the value is the case's number.
field::MemoryDataset clouds(double time_step) {
  field::Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}};
  schema.channels = {{"p", ""}};
  field::MemoryDataset data(schema, "clouds");
  std::shared_ptr<const field::Mesh> meshes[2];
  for (Index m : {0, 1}) {
    auto mesh = std::make_shared<field::Mesh>();
    mesh->points = field::Matrix::Random(3 + 2 * m, 3);
    mesh->surface = {m};
    meshes[m] = mesh;
  }
  for (int i = 0; i < 4; ++i) {
    field::Case c;
    c.time = time_step * i;
    c.mesh = meshes[i % 2];
    c.fields = field::Matrix::Constant(c.mesh->size(), 1, float(i));
    data.add(c);
  }
  return data;
}

TEST(ExportCases, WritesEveryCaseOnItsMeshWithItsWall) {
  const TemporaryFolder folder;
  const auto data = clouds(0.5);
  Index told = 0;
  const auto report = export_cases(data, 1, 0, folder / "out", {.progress = [&](Index, Index) { ++told; }});
  EXPECT_EQ(report.cases, 3);
  EXPECT_EQ(told, 3);
  EXPECT_EQ(report.series, folder / "out" / "cases.pvd");
  const auto entries = io::read_pvd(report.series);
  ASSERT_EQ(entries.size(), 3u);
  for (int i = 1; i < 4; ++i) {
    const auto& entry = entries[i - 1];
    EXPECT_EQ(entry.file, "case_0000" + std::to_string(i) + ".vtp");
    EXPECT_EQ(entry.time, 0.5 * i);
    const auto vtk = io::read_vtk(folder / "out" / entry.file);
    ASSERT_EQ(vtk.point_count(), i % 2 ? 5 : 3);
    EXPECT_EQ(vtk.points[3], data.load(i).mesh->points(1, 0));
    EXPECT_EQ(vtk.find_point_data("p")->values[2], i);
    EXPECT_EQ(vtk.find_point_data("wall")->values[i % 2], 1);
  }
}

TEST(ExportCases, CasesWithoutTimesPlayInOrder) {
  const TemporaryFolder folder;
  const auto report = export_cases(clouds(0), 1, 2, folder.path());
  std::vector<double> times;
  for (const auto& entry : io::read_pvd(report.series)) times.push_back(entry.time);
  EXPECT_THAT(times, ElementsAre(0, 1));
}

TEST(ExportCases, AnInterruptLeavesAWholeSeriesAndAMissingCaseIsAnError) {
  const TemporaryFolder folder;
  int asked = 0;
  const auto report = export_cases(clouds(1), 0, 0, folder.path(), {.interrupted = [&] { return ++asked > 2; }});
  EXPECT_EQ(report.cases, 2);
  EXPECT_EQ(io::read_pvd(report.series).size(), 2u);
  EXPECT_THAT([&] { export_cases(clouds(1), 4, 0, folder / "more"); }, ThrowsMessage<Error>(HasSubstr("0 to 3")));
  EXPECT_FALSE(std::filesystem::exists(folder / "more"));
}

}  // namespace
}  // namespace fluidsplat::mesh

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "survey/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"

namespace fluidsplat::survey {
namespace {

using ::testing::HasSubstr;

// Two waves of different strength on a 32 x 40 grid that lacks its first cell.
void write_waves(const std::filesystem::path& path) {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"w", "1/s"}};
  schema.descriptors = {{"speed", "m/s"}};
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = {32, 40};
  mesh->points.resize(32 * 40 - 1, 2);
  mesh->features.resize(mesh->points.rows(), 0);
  for (int i = 1; i < 32 * 40; ++i) {
    mesh->grid_cell.push_back(i);
    mesh->points.row(i - 1) << float(i % 40), float(i / 40);
  }
  field::DatasetWriter writer(path, schema, "Waves");
  for (int t = 0; t < 40; ++t) {
    field::Case c;
    c.mesh = mesh;
    c.time = 0.5 * t;
    c.descriptors = field::Vector::Constant(1, float(t));
    c.fields.resize(mesh->size(), 1);
    const double phase = 2 * M_PI * t / 40;
    for (Index i = 0; i < mesh->size(); ++i) {
      const double x = 2 * M_PI * mesh->points(i, 0) / 40, y = 2 * M_PI * mesh->points(i, 1) / 32;
      c.fields(i, 0) = float(1000 + std::sin(x - phase) + 0.2 * std::sin(2 * y - 2 * phase));
    }
    writer.add(c);
  }
  writer.commit();
}

TEST(Summary, NumbersAreThoseOfTheData) {
  TemporaryFolder folder;
  write_waves(folder / "w.h5");
  const field::DatasetFile data(folder / "w.h5");
  const auto s = summarize(data);
  EXPECT_EQ(s.cases, 40);
  EXPECT_EQ(s.examined, 40);
  EXPECT_EQ(s.mesh[0].points, 1279);
  EXPECT_NEAR(s.mesh[0].no_data_share, 1.0 / 1280, 1e-9);
  ASSERT_TRUE(s.time_step.has_value());
  EXPECT_NEAR(*s.time_step, 0.5, 1e-12);
  EXPECT_NEAR(s.channels[0].mean, 1000, 0.01);
  // The offset of 1000 must not swallow the deviation.
  EXPECT_NEAR(s.channels[0].deviation, std::sqrt(0.5 + 0.5 * 0.04), 1e-3);
  EXPECT_NEAR(s.channels[0].most, 1001.2, 0.02);
  EXPECT_NEAR(s.descriptors[0].mean, 19.5, 1e-5);
  // A travelling wave is two modes; the second pair holds 0.04 / 1.04 of the energy.
  ASSERT_TRUE(s.pod.has_value());
  EXPECT_EQ(s.pod->modes_for(0.9), 2);
  EXPECT_EQ(s.pod->modes_for(0.999), 4);
  EXPECT_NEAR(s.pod->share[0] + s.pod->share[1], 1 / 1.04, 1e-3);
  const auto text = to_text(s);
  for (const char* part : {"Waves", "40 cases on 1 mesh", "w [1/s]", "32 x 40", "every 0.5", "99 % of the energy in 4"})
    EXPECT_THAT(text, HasSubstr(part));
  const auto json = to_json(s);
  EXPECT_EQ(json["pod"]["modes"]["0.999"], 4);
  EXPECT_EQ(json["channels"][0]["unit"], "1/s");
}

// As that of an OpenFOAM case: its points are faces of patches.
TEST(Summary, AWallWithPointsOfItsOwnIsCounted) {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"p", "Pa"}};
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = field::Matrix::Random(9, 2);
  mesh->features.resize(9, 0);
  mesh->wall = field::make_wall(field::Matrix::Random(3, 2), field::Matrix(3, 0),
                                Eigen::RowVector2f(0, 1).replicate(3, 1), {0.5, 0.5, 1});
  TemporaryFolder folder;
  field::DatasetWriter writer(folder / "w.h5", schema, "Channel");
  for (int t = 0; t < 4; ++t) {
    field::Case c;
    c.mesh = mesh;
    c.time = t;
    c.fields = field::Matrix::Random(9, 1);
    c.wall_fields = field::Matrix::Random(3, 1);
    writer.add(c);
  }
  writer.commit();
  EXPECT_THAT(to_text(summarize(field::DatasetFile(folder / "w.h5"))),
              HasSubstr("9 scattered points, 3 on the wall with normals and areas (2 in all)"));
}

}  // namespace
}  // namespace fluidsplat::survey

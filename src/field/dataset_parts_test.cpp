// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "field/mesh_contents.h"
#include "field/without_descriptors.h"
#include "io/hdf5.h"

namespace fluidsplat::field {
namespace {

constexpr Index kPoints = 70'000, kWall = 50;  // more than two chunks

Schema schema(bool features) {
  Schema s;
  s.coordinates = {{"x", "m"}, {"y", "m"}};
  s.channels = {{"u", "m/s"}, {"p", "Pa"}};
  if (features) s.features = {{"sdf", "m"}};
  s.descriptors = {{"Re", "1"}};
  return s;
}

Matrix numbered(Index rows, Index columns, float first) {
  Matrix out(rows, columns);
  for (Index i = 0; i < out.size(); ++i) out.data()[i] = first + float(i);
  return out;
}

MemoryDataset make_data(bool wall, bool grid) {
  MemoryDataset data(schema(wall));
  auto mesh = std::make_shared<Mesh>();
  mesh->points = numbered(kPoints, 2, 0);
  mesh->features = wall ? numbered(kPoints, 1, -0.5f) : Matrix(kPoints, 0);
  if (grid) {
    mesh->grid_shape = {7, kPoints / 7};
    for (Index i = 0; i < kPoints; ++i) mesh->grid_cell.push_back(kPoints - 1 - i);
  }
  if (wall) mesh->wall = make_wall(numbered(kWall, 2, 1e6f), numbered(kWall, 1, 2e6f), Matrix(), {});
  for (int t = 0; t < 3; ++t) {
    Case c;
    c.name = "frame " + std::to_string(t);
    c.time = t;
    c.mesh = mesh;
    c.fields = numbered(kPoints, 2, 1000.0f * float(t) + 0.25f);
    if (wall) c.wall_fields = numbered(kWall, 2, -1000.0f * float(t));
    c.descriptors = Vector::Constant(1, float(t));
    data.add(c);
  }
  return data;
}

void expect_parts_of(const Dataset& whole, const Dataset& data) {
  const auto mesh = whole.mesh(0);
  std::vector<Index> places = {kPoints - 1, 0, 40'000, 5, 5, 32'768, 32'767};
  if (mesh->wall) places.insert(places.begin() + 2, {kPoints, kPoints + kWall - 1});
  const auto outline = data.outline(0);
  EXPECT_EQ(outline.points, kPoints);
  EXPECT_EQ(outline.places(), mesh->places());
  EXPECT_EQ(outline.grid_shape, mesh->grid_shape);
  EXPECT_NEAR(double(outline.bytes), double(bytes_of(*mesh)), 0.01 * double(bytes_of(*mesh)));
  const auto at = data.points_at(0, places);
  const auto in = data.points_in(0, 32'000, 2'000);
  EXPECT_EQ(in.positions, mesh->points.middleRows(32'000, 2'000));
  EXPECT_EQ(in.features, mesh->features.middleRows(32'000, 2'000));
  EXPECT_EQ(in.cells.empty(), !mesh->is_grid());
  if (mesh->is_grid()) {
    EXPECT_EQ(in.cells[7], mesh->grid_cell[32'007]);
  }
  for (Index t = 0; t < whole.size(); ++t) {
    const auto c = whole.load(t);
    EXPECT_EQ(data.values_in(t, 32'000, 2'000), c.fields.middleRows(32'000, 2'000));
    const auto values = data.values_at(t, places);
    for (Index i = 0; i < std::ssize(places); ++i) {
      EXPECT_EQ(values.row(i), c.values(places[i]));
      EXPECT_EQ(at.positions.row(i), mesh->position(places[i]));
      if (mesh->features.cols() > 0) {
        EXPECT_EQ(at.features.row(i), mesh->features_at(places[i]));
      }
    }
    const auto bare = data.without_fields(t);
    EXPECT_EQ(bare.name, c.name);
    EXPECT_EQ(bare.time, c.time);
    EXPECT_EQ(bare.fields.rows(), 0);
  }
}

TEST(DatasetParts, AreThoseOfTheWhole) {
  for (const bool wall : {false, true})
    for (const bool grid : {false, true}) {
      const auto data = make_data(wall, grid);
      expect_parts_of(data, data);
      EXPECT_EQ(data.without_fields(2).descriptors[0], 2);
      const TemporaryFolder folder;
      DatasetWriter writer(folder / "d.h5", data.schema());
      for (Index t = 0; t < data.size(); ++t) writer.add(data.load(t));
      writer.commit();
      const DatasetFile file(folder / "d.h5");
      expect_parts_of(data, file);
      const WithoutDescriptors untold(file);
      expect_parts_of(data, untold);
      EXPECT_EQ(untold.without_fields(1).descriptors.size(), 0);
      EXPECT_THROW(file.values_at(7, std::vector<Index>{0}), Error);
      EXPECT_THROW(file.values_at(0, std::vector<Index>{data.mesh(0)->places()}), Error);
      EXPECT_THROW(file.without_fields(-1), Error);
    }
}

TEST(DatasetParts, AValueThatIsNotFiniteIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  const auto data = make_data(false, false);
  DatasetWriter writer(folder / "d.h5", data.schema());
  for (Index t = 0; t < data.size(); ++t) writer.add(data.load(t));
  writer.commit();
  // The writer refuses such values: damage one behind its back, where the plain rows are.
  std::fstream file(folder / "d.h5", std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const Matrix row = data.load(1).fields.middleRows(123, 4);
  const auto at = bytes.rfind(std::string(reinterpret_cast<const char*>(row.data()), sizeof(float) * 8));
  ASSERT_NE(at, std::string::npos);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  file.clear();
  file.seekp(std::streamoff(at + sizeof(float)));
  file.write(reinterpret_cast<const char*>(&nan), sizeof nan);
  file.close();
  const DatasetFile damaged(folder / "d.h5");
  const auto names_it = ::testing::ThrowsMessage<Error>(
      ::testing::AllOf(::testing::HasSubstr("case 1"), ::testing::HasSubstr("\"p\" is not finite at point 123")));
  EXPECT_THAT([&] { damaged.values_at(1, std::vector<Index>{7, 123}); }, names_it);
  EXPECT_THROW(damaged.values_in(1, 0, 1000), Error) << "the checksum";
}

TEST(DatasetParts, GoThroughAllPointsOnce) {
  Index next = 0;
  in_parts(1'000'000, [&](Index first, Index count) {
    EXPECT_EQ(first, next);
    EXPECT_GT(count, 0);
    next += count;
  });
  EXPECT_EQ(next, 1'000'000);
}

}  // namespace
}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/known_region.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace fluidsplat::reconstruct {
namespace {

field::MemoryDataset dataset_on(std::shared_ptr<const field::Mesh> mesh) {
  field::Schema schema;
  for (Index a = 0; a < mesh->points.cols(); ++a) schema.coordinates.push_back({std::string(1, "xyz"[a]), "m"});
  schema.channels = {{"p", "Pa"}};
  field::MemoryDataset data(schema);
  field::Case c;
  c.fields = field::Matrix::Zero(mesh->size(), 1);
  if (mesh->wall) c.wall_fields = field::Matrix::Zero(mesh->wall->size(), 1);
  c.mesh = std::move(mesh);
  data.add(c);
  return data;
}

Eigen::RowVectorXf at(float x, float y) {
  return Eigen::RowVector2f(x, y);
}

// 40 x 20 cells of size 0.1 with a hole of 6 x 4 of them; rows may fall along y.
std::shared_ptr<field::Mesh> grid_with_hole(bool upside_down) {
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = {20, 40};
  std::vector<std::array<float, 2>> points;
  for (Index row = 0; row < 20; ++row)
    for (Index column = 0; column < 40; ++column) {
      const Index y = upside_down ? 19 - row : row;
      if (column >= 10 && column < 16 && y >= 8 && y < 12) continue;
      mesh->grid_cell.push_back(row * 40 + column);
      points.push_back({0.1f * float(column), 0.1f * float(y)});
    }
  mesh->points.resize(std::ssize(points), 2);
  for (Index i = 0; i < mesh->size(); ++i) mesh->points.row(i) << points[i][0], points[i][1];
  mesh->features.resize(mesh->size(), 0);
  return mesh;
}

TEST(KnownRegion, AGridKnowsItsHoleToTheCell) {
  for (bool upside_down : {false, true}) {
    const auto data = dataset_on(grid_with_hole(upside_down));
    const auto region = learn_region(data, {0});
    EXPECT_FALSE(region.contains(at(1.2f, 1.0f)));
    EXPECT_FALSE(region.contains(at(0.97f, 0.81f))) << "the corner of the hole";
    EXPECT_TRUE(region.contains(at(0.93f, 0.81f)));
    EXPECT_TRUE(region.contains(at(1.2f, 1.22f)));
    EXPECT_TRUE(region.contains(at(0, 0)));
    EXPECT_FALSE(region.is_near(at(1.25f, 0.95f), 1));
    EXPECT_TRUE(region.is_near(at(1.02f, 0.95f), 1)) << "a sensor on the wall";
    EXPECT_EQ(region.points, 800 - 24);
  }
}

TEST(KnownRegion, DataEverywhereNeedNoRaster) {
  auto mesh = grid_with_hole(false);
  mesh->points.resize(800, 2);
  mesh->features.resize(800, 0);
  mesh->grid_cell.resize(800);
  for (Index i = 0; i < 800; ++i) {
    mesh->grid_cell[i] = i;
    mesh->points.row(i) << 0.1f * float(i % 40), 0.1f * float(i / 40);
  }
  const auto data = dataset_on(mesh);
  const auto region = learn_region(data, {0});
  EXPECT_TRUE(region.shape.empty());
  EXPECT_TRUE(region.contains(at(1, 1)));
  const auto back = region_from_block(to_block(region), 2, "m");
  EXPECT_EQ(back.points, 800);
  EXPECT_TRUE(back.shape.empty());
}

// Points that are dense around a disc of radius 0.5 and sparse far from it; normals, or not.
std::shared_ptr<field::Mesh> cloud_around_disc(bool with_wall) {
  auto mesh = std::make_shared<field::Mesh>();
  std::vector<std::array<float, 2>> points;
  const float pi = 3.14159265f;
  for (int ring = 0; ring < 60; ++ring) {
    const float r = 0.5f * std::pow(1.05f, float(ring));
    for (int k = 0; k < 120; ++k) {
      const float t = 2 * pi * (float(k) + 0.5f * float(ring % 2)) / 120;
      points.push_back({r * std::cos(t), r * std::sin(t)});
    }
  }
  mesh->points.resize(std::ssize(points), 2);
  for (Index i = 0; i < mesh->size(); ++i) mesh->points.row(i) << points[i][0], points[i][1];
  mesh->features.resize(mesh->size(), 0);
  if (with_wall) {
    mesh->normals.resize(120, 2);
    for (Index k = 0; k < 120; ++k) {
      mesh->surface.push_back(k);
      mesh->normals.row(k) = mesh->points.row(k).normalized();
    }
  }
  return mesh;
}

TEST(KnownRegion, ACloudKnowsTheBodyInItAndHasNoOtherHoles) {
  for (bool with_wall : {false, true}) {
    const auto data = dataset_on(cloud_around_disc(with_wall));
    const auto region = learn_region(data, {0});
    ASSERT_FALSE(region.shape.empty());
    Random random(3);
    for (int k = 0; k < 3000; ++k) {
      const double r = random.uniform(0, 8), t = random.uniform(0, 6.3);
      const auto place = at(float(r * std::cos(t)), float(r * std::sin(t)));
      const double margin = with_wall ? 0.03 : 0.08;  // half a node, and what points alone leave open
      if (r < 0.5 - margin) {
        EXPECT_FALSE(region.contains(place)) << r;
      }
      if (r > 0.53) {
        EXPECT_TRUE(region.contains(place)) << r;
      }
    }
  }
}

// A fine grid with a hole, looked through in parts as one of 10^8 points is.
TEST(KnownRegion, ALargeMeshKnowsItsHoleToTheNode) {
  auto mesh = std::make_shared<field::Mesh>();
  constexpr Index kSide = 700;
  const auto inside = [](float x, float y) { return x > 0.3f && x < 0.6f && y > 0.5f && y < 0.8f; };
  mesh->points.resize(kSide * kSide, 2);
  Index n = 0;
  for (Index i = 0; i < kSide * kSide; ++i) {
    const float x = float(i % kSide) / float(kSide - 1), y = float(i / kSide) / float(kSide - 1);
    if (!inside(x, y)) mesh->points.row(n++) << x, y;
  }
  mesh->points.conservativeResize(n, 2);
  mesh->features.resize(n, 0);
  const auto data = dataset_on(mesh);
  const auto region = learn_region(data, {0}, 1000);
  EXPECT_EQ(region.points, n);
  EXPECT_FALSE(region.contains(at(0.45f, 0.65f)));
  EXPECT_FALSE(region.contains(at(0.305f, 0.505f)));
  EXPECT_TRUE(region.contains(at(0.295f, 0.505f)));
  Random random(3);
  for (int k = 0; k < 3000; ++k) {
    const auto x = float(random.uniform()), y = float(random.uniform());
    if (!inside(x, y)) {
      EXPECT_TRUE(region.is_near(at(x, y), 1)) << x << ' ' << y;
    }
  }
}

TEST(KnownRegion, DamagedBlocksAreRefused) {
  const auto data = dataset_on(grid_with_hole(false));
  const auto block = to_block(learn_region(data, {0}));
  EXPECT_EQ(region_from_block(block, 2, "m").known, learn_region(data, {0}).known);
  EXPECT_THROW(region_from_block(block, 3, "m"), Error);
  auto damaged = block;
  damaged.tensors.clear();
  EXPECT_THROW(region_from_block(damaged, 2, "m"), Error);
  for (const char* config : {"{}", "[]", R"({"points": "x"})", R"({"points": 1, "shape": [1e9, 1e9]})",
                             R"({"points": 1, "low": [0, 0], "high": [1, 1], "shape": [1e9, 1e9]})"}) {
    damaged = block;
    damaged.config = config;
    EXPECT_THROW(region_from_block(damaged, 2, "m"), Error) << config;
  }
}

}  // namespace
}  // namespace fluidsplat::reconstruct

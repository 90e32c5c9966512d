// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/from_dataset.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

// A 2 x 3 grid without its cell 4, whose points are listed backwards.
field::MemoryDataset backwards_grid(int cases) {
  field::Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}};
  schema.channels = {{"u", "m/s"}, {"p", "Pa"}};
  field::MemoryDataset dataset(schema);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = {2, 3};
  mesh->grid_cell = {5, 3, 2, 1, 0};
  mesh->points.resize(5, 2);
  for (Index i = 0; i < 5; ++i) {
    const auto cell = mesh->grid_cell[i];
    mesh->points.row(i) << float(cell % 3), float(cell / 3);
  }
  mesh->features.resize(5, 0);
  for (int t = 0; t < cases; ++t) {
    field::Case c;
    c.name = "case";
    c.time = 0.5 * t;
    c.mesh = mesh;
    c.fields.resize(5, 2);
    for (Index i = 0; i < 5; ++i) {
      const auto cell = float(mesh->grid_cell[i]);
      c.fields.row(i) << cell, 100 * cell + float(t);
    }
    dataset.add(c);
  }
  return dataset;
}

TEST(FromDataset, PutsPointsInTheOrderOfThePixels) {
  const field::MemoryDataset dataset = backwards_grid(3);
  const DatasetFrames frames = load_frames(dataset, "p", {0, 1, 2});
  ASSERT_TRUE(frames.grid.has_value());
  EXPECT_TRUE(frames.in_time);
  EXPECT_EQ(frames.unit, "Pa");
  const Matrix on_grid = frames.on_grid();
  for (Index cell = 0; cell < 6; ++cell) EXPECT_EQ(on_grid(cell, 2), cell == 4 ? 0 : 100.0 * double(cell) + 2) << cell;
  EXPECT_FALSE(frames.grid->valid(4));
  EXPECT_EQ(frames.points(0, 0), 0);
  EXPECT_EQ(frames.points(4, 0), 2);
  EXPECT_EQ(frames.row_of, (std::vector<Index>{4, 3, 2, 1, 0}));
}

TEST(FromDataset, UnevenTimesAreNotASeries) {
  const field::MemoryDataset dataset = backwards_grid(5);
  EXPECT_FALSE(load_frames(dataset, "", {0, 1, 4}).in_time);
  EXPECT_FALSE(load_frames(dataset, "", {2, 1, 0}).in_time);
  EXPECT_TRUE(load_frames(dataset, "", {0, 2, 4}).in_time);
}

TEST(FromDataset, NamesTheChannelsThereAre) {
  const field::MemoryDataset dataset = backwards_grid(1);
  try {
    load_frames(dataset, "w", {0});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("u, p"), std::string::npos);
  }
  EXPECT_THROW(load_frames(dataset, "u", {}), Error);
}

}  // namespace
}  // namespace fluidsplat::theory

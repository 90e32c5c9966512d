// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/dataset_advice.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/sensors.h"

namespace fluidsplat::theory {
namespace {

// A wave that travels over a 48 x 40 grid, with noise.
field::MemoryDataset travelling_wave(int cases, double noise) {
  field::Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}};
  schema.channels = {{"u", ""}};
  field::MemoryDataset dataset(schema);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = {48, 40};
  mesh->points.resize(48 * 40, 2);
  mesh->features.resize(48 * 40, 0);
  for (Index i = 0; i < 48 * 40; ++i) {
    mesh->grid_cell.push_back(i);
    mesh->points.row(i) << float(i % 40), float(i / 40);
  }
  Random random(2);
  for (int t = 0; t < cases; ++t) {
    field::Case c;
    c.name = "frame";
    c.time = t;
    c.mesh = mesh;
    c.fields.resize(48 * 40, 1);
    for (Index i = 0; i < c.fields.rows(); ++i)
      c.fields(i, 0) = float(std::sin(0.5 * mesh->points(i, 0) - 0.2 * t) + noise * random.normal());
    dataset.add(c);
  }
  return dataset;
}

TEST(DatasetAdvice, TakesACountOrALayoutFile) {
  const field::MemoryDataset dataset = travelling_wave(12, 0.1);
  AdviceRequest request;
  request.sensors = "5";
  const Advice by_count = advise(dataset, request);
  EXPECT_EQ(by_count.sensors, 5);
  EXPECT_EQ(by_count.frames, 12);
  EXPECT_NEAR(by_count.noise, 0.1, 0.04);

  const TemporaryFolder folder;
  const field::SensorLayout layout = field::random_layout(*dataset.mesh(0), 7, 1, {0});
  write_file(folder / "layout.json", field::to_json(layout).dump());
  request.sensors = (folder / "layout.json").string();
  EXPECT_EQ(advise(dataset, request).sensors, 7);
}

TEST(DatasetAdvice, NamesTheFileThatIsNoLayout) {
  const field::MemoryDataset dataset = travelling_wave(2, 0.1);
  const TemporaryFolder folder;
  write_file(folder / "layout.json", "{ not json");
  AdviceRequest request;
  request.sensors = (folder / "layout.json").string();
  EXPECT_THROW(advise(dataset, request), Error);
  request.sensors = "8 of them";
  EXPECT_THROW(advise(dataset, request), Error);
}

}  // namespace
}  // namespace fluidsplat::theory

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "field/dataset.h"
#include "learn/config/train_config.h"

// A travelling wave on a small grid: a wake that costs nothing, for tests.
namespace fluidsplat::learn {

inline field::MemoryDataset toy_wake(int frames = 24, int rows = 8, int columns = 12) {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"w", "1/s"}, {"p", "Pa"}};
  field::MemoryDataset data(schema, "toy wake");
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = {rows, columns};
  mesh->points.resize(rows * columns, 2);
  mesh->features.resize(rows * columns, 0);
  for (int i = 0; i < rows * columns; ++i) {
    mesh->grid_cell.push_back(i);
    mesh->points.row(i) << float(i % columns), float(i / columns);
  }
  mesh->surface = {0, 1, 2};
  for (int t = 0; t < frames; ++t) {
    field::Case c;
    c.time = t;
    c.name = fmt::format("t{}", t);
    c.mesh = mesh;
    c.fields.resize(rows * columns, 2);
    for (int i = 0; i < rows * columns; ++i) {
      const float x = mesh->points(i, 0), y = mesh->points(i, 1);
      c.fields(i, 0) = std::sin(0.5f * x - 0.7f * float(t)) * std::exp(-0.1f * (y - 4) * (y - 4));
      c.fields(i, 1) = 100 + 5 * std::cos(0.5f * x - 0.7f * float(t));
    }
    data.add(c);
  }
  return data;
}

inline TrainConfig toy_config(const std::string& out) {
  TrainConfig c;
  c.data.file = "toy";
  c.data.train_cases = 12;
  c.data.validation_cases = 4;
  c.out = out;
  auto& model = c.model.fluidsplat();
  model.primitives = 6;
  model.context = 16;
  model.encoder_width = 16;
  model.bands = 2;
  model.attention_width = 8;
  model.heads = 2;
  model.layers = 2;
  model.width = 16;
  c.sampling.queries = 32;
  c.schedule.kind = ScheduleKind::kOneCycle;
  c.schedule.rate = 3e-3;
  c.schedule.steps = 40;
  c.batch = 4;
  c.threads = 1;
  c.validate_every = 10;
  c.checkpoint_every = 15;
  return c;
}

}  // namespace fluidsplat::learn

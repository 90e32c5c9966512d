// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/setup.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/random.h"
#include "field/held_out.h"
#include "field/sensor_count.h"
#include "field/sensor_file.h"

namespace fluidsplat::learn {
namespace {

field::Matrix positions_from_rows(const std::vector<std::vector<double>>& rows, int dim) {
  field::Matrix out(std::ssize(rows), dim);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (int(rows[i].size()) != dim)
      fail("sensors.positions: entry {} has {} numbers, the data has {} coordinates", i, rows[i].size(), dim);
    for (int a = 0; a < dim; ++a) out(i, a) = float(rows[i][a]);
  }
  return out;
}

std::vector<std::vector<Index>> whole_numbers(const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<Index>> out;
  for (const auto& row : rows) {
    out.emplace_back();
    for (double v : row) {
      if (v != std::floor(v)) fail("sensors.cells: {} is not a whole number", v);
      out.back().push_back(Index(v));
    }
  }
  return out;
}

field::SensorLayout wall_sensors(const SensorConfig& config, const field::Dataset& dataset,
                                 const std::vector<int>& channels) {
  const auto mesh = dataset.mesh(0);
  const std::uint64_t seed = config.seed;
  if (config.kind == SensorKind::kWall)
    return field::wall_layout(
        *mesh, config.arclengths.empty() ? field::even_arclengths(config.count) : config.arclengths, channels);
  auto layout = field::random_layout(*mesh, int(config.count), seed, channels, true);
  if (dataset.mesh_count() == 1) return layout;
  if (dataset.schema().dim() != 2) {
    layout.redraw = field::SensorLayout::Redraw{seed, true};
    return layout;
  }
  // Random places that every wall has.
  Random random(seed, 0x5e4507);
  std::vector<double> places;
  for (Index i = 0; i < config.count; ++i) places.push_back(random.uniform());
  std::sort(places.begin(), places.end());
  return field::wall_layout(*mesh, places, channels);
}

field::SensorLayout place_sensors(const SensorConfig& config, const field::Dataset& dataset) {
  const auto& schema = dataset.schema();
  const auto channels = field::channel_indices(config.channels, schema, "sensors.channels");
  const field::PointSource mesh(dataset, 0);
  const auto count = int(config.count);
  const std::uint64_t seed = config.seed;
  if (config.kind == SensorKind::kCells)
    return field::layout_from_cells(mesh, whole_numbers(config.cells), channels, "sensors.cells");
  if (config.kind == SensorKind::kFile) {
    const auto layout = field::read_sensor_csv(config.file, schema, mesh, channels);
    try {
      field::place(layout, mesh, field::snap_tolerance(mesh));
    } catch (const Error& e) {
      fail("{}: {}", config.file, e.what());
    }
    return layout;
  }
  if (config.kind == SensorKind::kWall || config.kind == SensorKind::kRandomWall)
    return wall_sensors(config, dataset, channels);
  if (config.kind == SensorKind::kRandom) return field::random_layout(dataset, count, seed, channels);
  if (config.kind == SensorKind::kRandomEach) {
    auto layout = field::make_layout(field::Matrix::Zero(count, schema.dim()), channels);
    layout.redraw = field::SensorLayout::Redraw{seed, false, config.generator == SensorGenerator::kTorch};
    return field::place(layout, mesh, 0).layout;
  }
  return field::make_layout(positions_from_rows(config.positions, schema.dim()), channels);
}

}  // namespace

void check_dataset_exists(const std::string& file) {
  if (!std::filesystem::exists(file))
    fail(
        "{}: no such file; make the built-in wake with \"fluidsplat data make cylinder --out {}\", your own data into "
        "a dataset with \"fluidsplat data import\", or name another dataset with data.file=...",
        file, file);
}

field::SeenData::How how_seen(const DataConfig& config) {
  return {config.use_descriptors, config.units == DataUnits::kFreeStream, config.use_features};
}

field::Split make_split(const DataConfig& config, const field::Dataset& dataset) {
  const std::uint64_t seed = config.split_seed;
  if (config.split == SplitKind::kFile) return field::read_split(config.split_file, dataset);
  if (config.split == SplitKind::kNamed) return dataset.named_split(config.split_name);
  if (!config.held_out.empty()) return field::held_out_split(dataset, config.held_out, config.validation_cases, seed);
  if (config.split == SplitKind::kBlocks)
    return field::block_split(dataset, config.train_cases, config.validation_cases);
  if (config.split == SplitKind::kDisjoint) {
    if (config.train_cases + config.validation_cases >= dataset.size())
      fail(
          "data.train_cases = {} and data.validation_cases = {} leave none of the {} cases of {} to judge the model "
          "on; use fewer",
          config.train_cases, config.validation_cases, dataset.size(), dataset.name());
    return field::disjoint_split(dataset.size(), config.train_cases, config.validation_cases, seed);
  }
  return field::protocol_split(dataset.size(), config.train_cases, config.validation_cases, seed);
}

field::SensorLayout make_sensors(const SensorConfig& config, const field::Dataset& dataset) {
  auto layout = place_sensors(config, dataset);
  // With one mesh the sensors have places of their own, and a model keeps exactly those.
  if (dataset.mesh_count() == 1) layout.arclengths.clear();
  return layout;
}

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/setup.h"

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "io/csv.h"

namespace fluidsplat::learn {
namespace {

std::vector<int> channel_indices(const std::vector<std::string>& names, const field::Schema& schema,
                                 const std::string& where) {
  std::vector<int> out;
  std::vector<std::string> known;
  for (const auto& c : schema.channels) known.push_back(c.name);
  for (const auto& name : names) {
    const auto it = std::find(known.begin(), known.end(), name);
    if (it == known.end())
      fail("{}: the data has no channel \"{}\"; its channels are: {}", where, name, fmt::join(known, ", "));
    out.push_back(static_cast<int>(it - known.begin()));
  }
  if (out.empty())
    for (std::size_t i = 0; i < known.size(); ++i) out.push_back(static_cast<int>(i));
  std::sort(out.begin(), out.end());
  return out;
}

field::Matrix positions_from_rows(const std::vector<std::vector<double>>& rows, int dim) {
  field::Matrix out(static_cast<Eigen::Index>(rows.size()), dim);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<int>(rows[i].size()) != dim)
      fail("sensors.positions: entry {} has {} numbers, the data has {} coordinates", i, rows[i].size(), dim);
    for (int a = 0; a < dim; ++a)
      out(static_cast<Eigen::Index>(i), a) = static_cast<float>(rows[i][static_cast<std::size_t>(a)]);
  }
  return out;
}

field::Matrix positions_from_csv(const std::string& file, const field::Schema& schema) {
  const auto table = io::read_csv(file);
  field::Matrix out(static_cast<Eigen::Index>(table.rows()), schema.dim());
  for (int a = 0; a < schema.dim(); ++a) {
    const auto& column = table.column(schema.coordinates[static_cast<std::size_t>(a)].name);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!std::isfinite(column[i]))
        fail("{}: row {} has no {}", file, i + 1, schema.coordinates[static_cast<std::size_t>(a)].name);
      out(static_cast<Eigen::Index>(i), a) = static_cast<float>(column[i]);
    }
  }
  return out;
}

}  // namespace

void check_dataset_exists(const std::string& file) {
  if (!std::filesystem::exists(file))
    fail(
        "{}: no such file; make the built-in wake with \"fluidsplat data make cylinder --out {}\", or name "
        "another "
        "dataset with data.file=...",
        file, file);
}

field::Split make_split(const DataConfig& config, const field::Dataset& dataset) {
  const auto seed = static_cast<std::uint64_t>(config.split_seed);
  if (config.split == "file") return field::read_split(config.split_file, dataset.size());
  if (config.split == "disjoint")
    return field::disjoint_split(dataset.size(), config.train_cases, config.validation_cases, seed);
  return field::protocol_split(dataset.size(), config.train_cases, config.validation_cases, seed);
}

field::SensorLayout make_sensors(const SensorConfig& config, const field::Dataset& dataset) {
  const auto& schema = dataset.schema();
  const auto channels = channel_indices(config.channels, schema, "sensors.channels");
  const auto mesh = dataset.mesh(0);
  if (config.kind == "cells") {
    std::vector<std::vector<std::int64_t>> cells;
    for (const auto& row : config.cells) {
      cells.emplace_back();
      for (double v : row) {
        if (v != std::floor(v)) fail("sensors.cells: {} is not a whole number", v);
        cells.back().push_back(static_cast<std::int64_t>(v));
      }
    }
    return field::layout_from_cells(*mesh, cells, channels, "sensors.cells");
  }
  if (config.kind == "random")
    return field::random_layout(*mesh, static_cast<int>(config.count),
                                static_cast<std::uint64_t>(config.seed), channels);
  return field::make_layout(config.kind == "file" ? positions_from_csv(config.file, schema)
                                                  : positions_from_rows(config.positions, schema.dim()),
                            channels);
}

}  // namespace fluidsplat::learn

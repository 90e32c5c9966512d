// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/reading_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/config.h"
#include "base/error.h"
#include "reconstruct/request_error.h"

namespace fluidsplat::reconstruct {
namespace {

struct Reading {
  Index sensor, channel;
  std::string column;
  std::string also;  // another spelling that is understood, or empty: the sensor alone when it measures one channel
};

// A sensor may be called "time": its column is then "time.p" and nothing else.
bool has_another_meaning(const std::string& column, const field::Schema& schema) {
  return column == "time" || column == "mesh" ||
         std::ranges::any_of(schema.descriptors, [&](const auto& d) { return d.name == column; });
}

std::vector<Reading> readings_of(const field::Schema& schema, const field::SensorLayout& sensors) {
  std::vector<Reading> out;
  for (Index i = 0; i < sensors.size(); ++i) {
    const std::size_t s = i;
    const std::string name =
        s < sensors.names.size() && !sensors.names[s].empty() ? sensors.names[s] : fmt::format("s{}", i + 1);
    for (int c : sensors.channels[s]) {
      const bool short_form = sensors.channels[s].size() == 1 && !has_another_meaning(name, schema);
      out.push_back({i, c, name + "." + schema.channels[c].name, short_form ? name : ""});
    }
  }
  return out;
}

// The column of this name, or null.
const std::vector<double>* find_column(const io::Table& table, const std::string& name) {
  const auto it = std::find(table.header.begin(), table.header.end(), name);
  return it == table.header.end() ? nullptr : &table.columns[it - table.header.begin()];
}

void check_header(const io::Table& table, const std::vector<Reading>& readings, const field::Schema& schema) {
  std::vector<std::string> known = {"time", "mesh"}, also;
  for (const auto& r : readings) {
    known.push_back(r.column);
    if (!r.also.empty()) also.push_back(r.also);
  }
  for (const auto& d : schema.descriptors) known.push_back(d.name);
  for (auto it = table.header.begin(); it != table.header.end(); ++it)
    if (std::find(table.header.begin(), it, *it) != it)
      fail("{}: two columns are called \"{}\"; which of them is meant?", table.source, *it);
  for (const auto& name : table.header)
    if (std::find(known.begin(), known.end(), name) == known.end() &&
        std::find(also.begin(), also.end(), name) == also.end()) {
      const auto nearest = nearest_name(name, known);
      fail("{}: unknown column \"{}\"{}; the model's columns are: {}", table.source, name,
           nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest), fmt::join(known, ", "));
    }
}

}  // namespace

std::vector<std::string> reading_columns(const field::Schema& schema, const field::SensorLayout& sensors) {
  std::vector<std::string> out;
  for (const auto& r : readings_of(schema, sensors)) out.push_back(r.column);
  return out;
}

ReadingTable parse_readings(const io::Table& table, const field::Schema& schema, const field::SensorLayout& sensors) {
  const auto readings = readings_of(schema, sensors);
  check_header(table, readings, schema);
  if (table.rows() == 0) fail("{}: no rows; one row of readings per instant is needed", table.source);
  std::vector<field::Matrix> values;
  ReadingTable out;
  const field::Matrix nothing =
      field::Matrix::Constant(sensors.size(), std::ssize(schema.channels), std::numeric_limits<float>::quiet_NaN());
  values.assign(table.rows(), nothing);
  for (const auto& r : readings) {
    const auto* column = find_column(table, r.column);
    if (const auto* shorter = r.also.empty() ? nullptr : find_column(table, r.also)) {
      if (column) fail("{}: the columns \"{}\" and \"{}\" mean the same; which?", table.source, r.column, r.also);
      column = shorter;
    }
    if (!column) {
      out.silent.push_back(r.column);
      continue;
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (std::isinf((*column)[row])) fail("{}: row {}, column \"{}\" is infinite", table.source, row + 1, r.column);
      values[row](r.sensor, r.channel) = float((*column)[row]);
    }
  }
  const auto *time = find_column(table, "time"), *mesh = find_column(table, "mesh");
  for (Index row = 0; row < std::ssize(values); ++row) {
    if (values[row].array().isNaN().all()) {
      out.skipped.push_back(row + 1);
      continue;
    }
    out.rows.push_back(row + 1);
    out.values.push_back(std::move(values[row]));
    if (mesh) {
      const double number = (*mesh)[row];
      if (!(number >= 0) || number != std::floor(number) || number > 1e9)
        fail("{}: row {}, column \"mesh\" is not the number of a mesh, counted from 0", table.source, row + 1);
      out.meshes.push_back(Index(number));
    }
    out.times.push_back(time ? (*time)[row] : double(row));
    if (!std::isfinite(out.times.back())) fail("{}: row {} has no time", table.source, row + 1);
    field::Vector descriptors(std::ssize(schema.descriptors));
    for (Index d = 0; d < descriptors.size(); ++d) {
      const auto& name = schema.descriptors[d].name;
      const auto* column = find_column(table, name);
      if (!column || !std::isfinite((*column)[row]))
        fail("{}: row {} does not say \"{}\", a descriptor that the model needs", table.source, row + 1, name);
      descriptors[d] = float((*column)[row]);
    }
    out.descriptors.push_back(std::move(descriptors));
  }
  if (out.values.empty()) fail("{}: nothing was said in any of its {} rows", table.source, table.rows());
  return out;
}

Index mesh_of_row(const ReadingTable& table, std::size_t row, const field::Dataset& dataset,
                  const std::string& source) {
  if (table.meshes.empty()) {
    if (dataset.mesh_count() > 1)
      refuse(Remedy::choose_mesh, "{} has {} meshes: choose one, or say which row by row in a column \"mesh\" of {}",
             dataset.name(), dataset.mesh_count(), source);
    return 0;
  }
  if (table.meshes[row] >= dataset.mesh_count())
    fail("{}: row {} speaks of mesh {}; {} has meshes 0 to {}", source, table.rows[row], table.meshes[row],
         dataset.name(), dataset.mesh_count() - 1);
  return table.meshes[row];
}

io::Table to_table(const ReadingTable& readings, const field::Schema& schema, const field::SensorLayout& sensors) {
  io::Table table;
  if (!readings.times.empty()) {
    table.header.push_back("time");
    table.columns.push_back(readings.times);
  }
  if (!readings.meshes.empty()) {
    table.header.push_back("mesh");
    table.columns.emplace_back(readings.meshes.begin(), readings.meshes.end());
  }
  for (std::size_t d = 0; d < schema.descriptors.size(); ++d) {
    table.header.push_back(schema.descriptors[d].name);
    table.columns.emplace_back();
    for (const auto& row : readings.descriptors) table.columns.back().push_back(row[d]);
  }
  for (const auto& r : readings_of(schema, sensors)) {
    table.header.push_back(r.column);
    table.columns.emplace_back();
    for (const auto& values : readings.values) table.columns.back().push_back(values(r.sensor, r.channel));
  }
  return table;
}

field::SensorReadings instant(const ReadingTable& table, std::size_t row, const field::SensorLayout& sensors) {
  return {sensors.positions, table.values[row], sensors.mean_readings};
}

}  // namespace fluidsplat::reconstruct

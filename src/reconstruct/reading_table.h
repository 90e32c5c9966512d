// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/index.h"
#include "field/sensors.h"
#include "io/csv.h"

namespace fluidsplat::reconstruct {

// What sensors said, instant by instant, as a CSV file holds it: optional columns `time` and `mesh` (which of a
// dataset's meshes the sensors are on, when they differ), one column per reading, one per case descriptor. A reading's
// column is spelled sensor.channel, as in nose.u, with s1, s2, ... for sensors without a name.  A sensor that measures
// one channel may also stand alone in a file that is read.  An empty cell, NA or nan: the sensor said nothing.
struct ReadingTable {
  std::vector<double> times;  // the row's number when the file has no times
  std::vector<Index> meshes;  // empty when the file does not say
  std::vector<field::Matrix> values;
  std::vector<field::Vector> descriptors;
  std::vector<Index> rows;          // the number of each in the file, from 1
  std::vector<Index> skipped;       // rows of the file in which nothing was said
  std::vector<std::string> silent;  // readings that the file has no column for: they count as missing
};

// The columns of readings, sensor by sensor, for what the sensors see.
std::vector<std::string> reading_columns(const field::Schema& schema, const field::SensorLayout& sensors);

// Throws Error for an unknown column (naming the nearest known one), two of one name, an infinite value, a missing
// descriptor, and when nothing was said in any row.
ReadingTable parse_readings(const io::Table& table, const field::Schema& schema, const field::SensorLayout& sensors);

// The mesh of a dataset that a row speaks of: the only one, or what the column `mesh` says.  Throws RequestError when
// there are several and the table does not say, Error when it names one that is not there; `source` is the table's
// file.
Index mesh_of_row(const ReadingTable& table, std::size_t row, const field::Dataset& dataset, const std::string& source);

// The way back; times and meshes may be empty.
io::Table to_table(const ReadingTable& readings, const field::Schema& schema, const field::SensorLayout& sensors);

// One instant of the table.
field::SensorReadings instant(const ReadingTable& table, std::size_t row, const field::SensorLayout& sensors);

}  // namespace fluidsplat::reconstruct

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "field/forces.h"
#include "io/csv.h"
#include "reconstruct/field_model.h"
#include "reconstruct/sensor_report.h"
#include "uncertainty/band.h"

namespace fluidsplat::reconstruct {

enum class SeriesFormat { vtk, npy };

// What was read, and where the field is wanted: on the meshes of a dataset, on the points of a VTK file, or else on a
// grid over the domain of training.
struct SeriesRequest {
  std::filesystem::path readings;   // a CSV, one row per instant: see ReadingTable; "-": standard input
  std::filesystem::path sensors;    // a CSV of other sensors than those of training; empty: those
  std::filesystem::path dataset;    // empty: not on a dataset's meshes
  Index mesh_number = -1;           // of the dataset, for all rows; -1: what the readings say
  std::filesystem::path mesh_file;  // a VTK file; empty: not on its points
  std::vector<Index> grid;          // points along x, y[, z]; empty: as many as suit the training mesh
  Index piece_points = 0;           // of a grid that is written in pieces; 0: whole if it is not too large
  bool field_only = false;          // without scaffold, mass, vorticity and divergence
  bool strict = false;              // readings unlike those of training are an Error, not a note
  SeriesFormat format = SeriesFormat::vtk;
  std::optional<field::ForceSettings> forces;  // also forces.csv and wall_pressure.csv: see WallSeries
  // The free stream, for forces whose settings do not say it; none: the dataset's, if all cases of a mesh agree.
  std::optional<field::Reference> freestream;
  std::shared_ptr<const uncertainty::Calibration> calibration;  // the model's, for what follows; may be null
  // Also lower, upper and scale of every channel, and calibrated numbers with their intervals (functionals.csv).
  std::optional<uncertainty::BandRequest> band;
  std::optional<SensorPolicy> sensor_policy;  // also sensors.csv: see check_series
  double false_alarms = 0.01;                 // of that check, as a share of instants with sound sensors
  std::filesystem::path out;  // folder for the files: see vtk_series and npy_series; "-": npy to standard output
};

struct SeriesHooks {
  std::function<void(Index done, Index total)> progress = {};
  std::function<bool()> interrupted = {};
  // What one should know of the request, for people.
  std::function<void(const std::string& text)> note = {};
};

struct SeriesReport {
  Index instants = 0;
  Index points = 0;                  // of the last instant
  std::filesystem::path file;        // to open
  bool complete = true;              // false: interrupted
  io::Table forces, pressure;        // what went into these two files, if asked for
  std::string guarantee;             // what the bands promise, if there are any, and where they promise nothing
  std::vector<std::string> sensors;  // what is to be said of them, if they were checked
  std::optional<SensorReport> sensor_report;
  std::vector<std::string> sensor_names;
  std::vector<double> times;  // of the rows
  io::Table functionals;      // what went into functionals.csv
  std::vector<std::string> functional_units;
  // The last one: its field, the width of its band where there is one, and the sensors that were believed.
  struct Instant {
    std::shared_ptr<const field::Mesh> mesh;
    field::Matrix field, width, sensors;
  } last;
};

// Reconstructs the field of every row of readings and writes it, one instant in memory at a time.  Throws RequestError
// where the request lacks something, other Errors for bad files; nothing is written before all rows were looked at.
SeriesReport reconstruct_series(FieldModel& model, const SeriesRequest& request, const SeriesHooks& hooks = {});

}  // namespace fluidsplat::reconstruct

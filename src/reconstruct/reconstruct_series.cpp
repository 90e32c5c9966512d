// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/reconstruct_series.h"

#include <fmt/ranges.h>

#include <iostream>
#include <iterator>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/csv.h"
#include "reconstruct/places.h"
#include "reconstruct/reading_check.h"
#include "reconstruct/request_error.h"
#include "reconstruct/series.h"
#include "reconstruct/series_trust.h"
#include "reconstruct/wall_series.h"

namespace fluidsplat::reconstruct {
namespace {

Extras all_extras(const FieldModel& model) {
  Extras extras;
  extras.scaffold = extras.mass = true;
  extras.vorticity = extras.divergence = !model.velocity().empty();
  return extras;
}

io::Table read_table(const std::filesystem::path& file) {
  if (file != "-") return io::read_csv(file);
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  return io::parse_csv(text, "standard input");
}

std::unique_ptr<SeriesWriter> make_writer(const SeriesRequest& request, Index instants, const FieldModel& model) {
  if (request.out == "-") return npy_stream(std::cout, instants);
  std::filesystem::create_directories(request.out);
  return request.format == SeriesFormat::npy ? npy_series(request.out, instants)
                                             : vtk_series(request.out, "field", model);
}

// One judge of readings: the calibration where there is one, which knows how often it is wrong, and what training saw
// where there is none.  A strict request is one that refuses.
std::optional<SensorPolicy> policy_of(const SeriesRequest& request) {
  if (request.sensor_policy || !request.strict) return request.sensor_policy;
  const bool is_calibrated =
      request.calibration && request.sensors.empty() && request.calibration->rungs.front().knows_sensors();
  return is_calibrated ? std::optional(SensorPolicy::refuse) : std::nullopt;
}

// What is unlike the readings of training, a line each, the first few rows by themselves.
std::vector<std::string> odd_readings(const ReadingTable& table, const std::string& source, const ReadingCheck& check) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> out;
  Index odd = 0;
  for (std::size_t row = 0; row < table.values.size(); ++row) {
    const auto text = check.about(table.values[row]);
    if (text.empty()) continue;
    ++odd;
    if (out.size() < kShown) out.push_back(fmt::format("{}: row {}: {}", source, table.rows[row], text));
  }
  if (odd > std::ssize(out))
    out.push_back(
        fmt::format("{}: the same of {} more of its {} rows", source, odd - std::ssize(out), table.values.size()));
  if (const auto text = check.about_changes(table.values); !text.empty())
    out.push_back(fmt::format("{}: {}", source, text));
  return out;
}

// Throws Error when the request is strict and something is odd.
void hold_against_training(const ReadingTable& table, const std::string& source, const SeriesRequest& request,
                           const FieldModel& model, const field::SensorLayout& sensors, const SeriesHooks& hooks) {
  if (!model.record().readings) return;
  const ReadingCheck check(*model.record().readings, model.schema(), sensors, request.sensors.empty());
  const auto odd = odd_readings(table, source, check);
  if (odd.empty()) return;
  if (request.strict) fail("{}", fmt::join(odd, "\n"));
  for (const auto& line : odd)
    if (hooks.note) hooks.note("warning: " + line);
}

// What bands and the check of sensors need.
void check_calibrated(const SeriesRequest& request) {
  if (!request.band && !request.sensor_policy) return;
  if (!request.calibration)
    fail(
        "the model has no calibration, so how wrong it may be and what its sensors usually differ by is not known; "
        "\"fluidsplat calibrate\" adds one to the model file");
  if (!request.sensors.empty())
    fail("{}: the model was calibrated with its own sensors; with others neither bands nor faults can be told",
         request.sensors.string());
}

// Throws Error when the policy is to refuse and a sensor is not fine, or the flow is not one that the model knows.
SensorReport check_sensors(FieldModel& model, const SeriesRequest& request, SensorPolicy policy, ReadingTable& table,
                           Places& places, const SeriesHooks& hooks, SeriesReport& report) {
  auto found = check_series(model, request.calibration, table, places, policy, request.false_alarms);
  report.sensors = describe(found, places.sensors(), table, policy);
  if (report.sensors.empty()) return found;
  if (policy == SensorPolicy::refuse) fail("{}", fmt::join(report.sensors, "\n"));
  for (const auto& line : report.sensors)
    if (hooks.note) hooks.note("warning: " + line);
  return found;
}

SeriesReport::Instant last_instant(const std::shared_ptr<const field::Mesh>& mesh, const field::Matrix& field,
                                   const FieldBands::Edges& edges, const field::SensorReadings& readings) {
  SeriesReport::Instant out{mesh, field, {}, {}};
  if (edges.upper.size() > 0) out.width = edges.upper - edges.lower;
  std::vector<Index> believed;
  for (Index i = 0; i < readings.values.rows(); ++i)
    if (!readings.values.row(i).array().isNaN().all()) believed.push_back(i);
  out.sensors = readings.positions(believed, Eigen::all);
  return out;
}

}  // namespace

SeriesReport reconstruct_series(FieldModel& model, const SeriesRequest& request, const SeriesHooks& hooks) {
  check_calibrated(request);
  Places places(request, model, hooks.note);
  const auto read = read_table(request.readings);
  auto table = parse_readings(read, model.schema(), places.sensors());
  places.check(table);
  if (!table.skipped.empty() && hooks.note)
    hooks.note(fmt::format("warning: {}: nothing was said in row{} {}; skipped", read.source,
                           table.skipped.size() == 1 ? "" : "s", fmt::join(table.skipped, ", ")));
  if (!table.silent.empty() && hooks.note)
    hooks.note(fmt::format("{}: no column for {}; taken as missing", read.source, fmt::join(table.silent, ", ")));
  const auto policy = policy_of(request);
  if (!policy) hold_against_training(table, read.source, request, model, places.sensors(), hooks);

  SeriesReport report;
  std::optional<FieldBands> bands;
  std::optional<FunctionalSeries> functionals;
  if (request.band) {
    bands.emplace(request.calibration, model.description(), *request.band);
    functionals.emplace(*request.calibration, model.schema(), read.source);
    report.guarantee = uncertainty::guarantee(*request.calibration, *request.band);
  }
  auto& sensors = report.sensor_report;
  if (policy) sensors = check_sensors(model, request, *policy, table, places, hooks, report);
  report.times = table.times;

  const auto instants = std::ssize(table.values);
  auto extras = request.field_only || request.out == "-" ? Extras{} : all_extras(model);
  if (bands) extras = bands->extras(extras);
  std::optional<WallSeries> wall;
  if (request.forces) {
    wall.emplace(*request.forces, model.schema());
    if (places.pieces() && !places.pieces()->dimensions())
      fail("{}: forces are sums over the whole wall, and this mesh is gone through in pieces; name the wall's own file",
           request.mesh_file.string());
    if (field::SurfaceView(*places.target().mesh).empty())
      refuse(Remedy::name_mesh, "forces are sums over the wall, and a plain grid has none; name a mesh that has one");
    if (request.out == "-") fail("forces are files, and standard output is for the fields; name a folder");
  }
  if (places.pieces() && functionals && !functionals->empty())
    fail(
        "calibrated probes and boxes look at a whole field, and this one is written in pieces; ask for a coarser grid or mesh");
  const auto series = make_writer(request, instants, model);
  Index unbounded = 0;
  for (Index row = 0; row < instants; ++row) {
    report.complete = !(hooks.interrupted && hooks.interrupted());
    if (!report.complete) return report;
    places.go_to(table, row);
    const auto& target = places.target();
    const auto readings = instant(table, row, places.sensors());
    if (const auto* pieces = places.pieces()) {
      Index points = 0;
      for (Index p = 0; p < pieces->size(); ++p) {
        report.complete = !(hooks.interrupted && hooks.interrupted());
        if (!report.complete) return report;
        const auto piece = pieces->target(p);
        places.look_at(piece);
        points += piece.shell.geometry.point_count();
        const auto part = model.reconstruct(readings, table.descriptors[row], piece.mesh, extras);
        const auto edges = bands ? bands->around(part, readings, piece.mesh) : FieldBands::Edges{};
        series->add_piece(table.times[row], *pieces, p, piece, part, edges);
        if (hooks.progress) hooks.progress(row * pieces->size() + p + 1, instants * pieces->size());
      }
      unbounded += bands && !bands->band().is_known();
      report.instants = row + 1;
      const auto grid = pieces->dimensions();
      report.points = grid ? (*grid)[0] * (*grid)[1] * (*grid)[2] : points;
      continue;
    }
    const auto result = model.reconstruct(readings, table.descriptors[row], target.mesh, extras);
    FieldBands::Edges edges;
    if (bands) {
      edges = bands->around(result, readings, target.mesh);
      unbounded += !bands->band().is_known();
    }
    if (wall || (functionals && !functionals->empty())) {
      const auto& separate = target.mesh->wall;
      const auto on_wall =
          separate ? model.reconstruct(readings, table.descriptors[row], separate).field : field::Matrix();
      if (wall) wall->add(table.times[row], target.mesh, result.field, on_wall, places.reference());
      // The model may have been trained without descriptors that a force needs.
      const auto& descriptors = table.descriptors[row].size() > 0 ? table.descriptors[row] : places.descriptors();
      if (functionals)
        functionals->add(table.times[row], bands->band(), target.mesh, result.field, on_wall, descriptors,
                         places.reference());
    }
    series->add(table.times[row], target, result, edges);
    report.instants = row + 1;
    report.points = target.mesh->size();
    if (row + 1 == instants) report.last = last_instant(target.mesh, result.field, edges, readings);
    if (hooks.progress) hooks.progress(row + 1, instants);
  }
  report.file = series->finish();
  report.sensor_names = sensor_names(places.sensors());
  if (functionals) report.functionals = functionals->table();
  if (request.band)
    for (const auto& f : request.calibration->functionals) report.functional_units.push_back(f.unit);
  if (unbounded > 0) {
    const auto text = fmt::format(
        "in {} of {} rows more sensors are silent or ignored than were calibrated ({} of {}); nothing can be promised "
        "there, and the bands are infinite",
        unbounded, instants, request.calibration->rungs.back().silent, places.sensors().size());
    if (hooks.note) hooks.note("warning: " + text);
    report.guarantee += " But " + text + ".";
  }
  if (request.band && sensors && sensors->shifted_at >= 0)
    report.guarantee += fmt::format(
        " But from row {} on it does not hold: this is not a flow like those calibrated on (the running test fired).",
        table.rows[sensors->shifted_at]);
  if (request.out != "-") {
    if (bands) write_file(request.out / "guarantee.txt", report.guarantee + "\n");
    if (functionals && !functionals->empty()) {
      io::write_csv(request.out / "functionals.csv", functionals->table());
      if (const auto unknown = functionals->unknown(); !unknown.empty() && hooks.note)
        hooks.note(
            fmt::format("warning: {}: not known here (no wall, no point near a probe, or a free stream that "
                        "readings do not tell)",
                        fmt::join(unknown, ", ")));
    }
    if (sensors) write_file(request.out / "sensors.csv", sensors_csv(*sensors, places.sensors(), table));
  }
  if (!wall) return report;
  report.forces = wall->forces();
  report.pressure = wall->pressure();
  io::write_csv(request.out / "forces.csv", report.forces);
  io::write_csv(request.out / "wall_pressure.csv", report.pressure);
  return report;
}

}  // namespace fluidsplat::reconstruct

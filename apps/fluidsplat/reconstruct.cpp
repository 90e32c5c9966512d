// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "apps/commands.h"
#include "apps/force_options.h"
#include "apps/model_file.h"
#include "apps/write_airfrans.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "reconstruct/reconstruct_series.h"
#include "reconstruct/request_error.h"
#include "report/series_page.h"
#include "report/wall_charts.h"
#include "uncertainty/calibration_text.h"

namespace fluidsplat::app {
namespace {

struct ReconstructOptions {
  std::string model, format = "vtk";
  reconstruct::SeriesRequest request;
  std::vector<std::string> forces;
  std::vector<double> freestream;
  std::string airfrans, cases = "test";
  double level = 0;
  bool simultaneous = false, on_average = false;
  std::string side = "both", check_sensors;
  int threads = 0;
};

// The flags that give what a request lacks.
const char* flags_for(reconstruct::Remedy remedy) {
  switch (remedy) {
    case reconstruct::Remedy::name_mesh:
      return "--data or --mesh; \"fluidsplat data export\" writes meshes with features and wall";
    case reconstruct::Remedy::choose_mesh:
      return "--mesh-number chooses; \"fluidsplat readings --data\" writes the column";
    case reconstruct::Remedy::place_sensors:
      return "--sensors or --data";
  }
  return "";
}

void ask_for_trust(ReconstructOptions& o, const std::filesystem::path& file) {
  o.request.calibration = uncertainty::read_calibration(model::ModelFile::open(file));
  if (o.level != 0)
    o.request.band = uncertainty::BandRequest{
        .level = o.level,
        .simultaneous = o.simultaneous,
        .side = o.side == "upper"   ? uncertainty::Side::upper
                : o.side == "lower" ? uncertainty::Side::lower
                                    : uncertainty::Side::both,
        .promise = o.on_average ? uncertainty::Promise::on_average : uncertainty::Promise::at_least};
  if (!o.check_sensors.empty())
    o.request.sensor_policy = o.check_sensors == "refuse" ? reconstruct::SensorPolicy::refuse
                              : o.check_sensors == "warn" ? reconstruct::SensorPolicy::warn
                                                          : reconstruct::SensorPolicy::mask;
}

// Speed, angle in degrees from x towards y, density.
field::Reference freestream_of(const ReconstructOptions& o, Index dim) {
  const double angle = o.freestream.size() > 1 ? o.freestream[1] * std::numbers::pi / 180 : 0;
  field::Reference out;
  out.speed = o.freestream[0];
  if (o.freestream.size() > 2) out.density = o.freestream[2];
  if (!(out.speed > 0)) fail("--freestream: the speed must be more than 0");
  out.direction.assign(dim, 0);
  out.direction[0] = std::cos(angle);
  out.direction[1] = std::sin(angle);
  return out;
}

void reconstruct_series(ReconstructOptions& o) {
  const bool piped = o.request.out == "-";
  if (piped && o.format != "npy") fail("--out - writes one array to standard output: add --format npy");
  o.request.format = o.format == "npy" ? reconstruct::SeriesFormat::npy : reconstruct::SeriesFormat::vtk;
  const auto file = model_file(o.model);
  ask_for_trust(o, file);
  const auto model = open_model(file, o.threads > 0 ? o.threads : available_threads());
  o.request.forces = read_forces(o.forces, model->schema());
  if (!o.freestream.empty()) o.request.freestream = freestream_of(o, model->schema().dim());
  std::optional<Progress> progress;
  reconstruct::SeriesHooks hooks;
  hooks.progress = [&](Index done, Index total) {
    if (!progress) progress.emplace("reconstructing", total);
    progress->update(done);
  };
  hooks.interrupted = interrupted;
  hooks.note = [&](const std::string& text) { progress ? progress->say(text) : fmt::print(stderr, "{}\n", text); };
  try {
    const auto report = reconstruct::reconstruct_series(*model, o.request, hooks);
    progress.reset();
    if (report.complete)
      fmt::print(piped ? stderr : stdout, "{} instant{} at {} points: {} {}\n", report.instants,
                 report.instants == 1 ? "" : "s", report.points, piped ? "written to" : "open", report.file.string());
    if (report.complete && !report.guarantee.empty()) fmt::print(piped ? stderr : stdout, "{}\n", report.guarantee);
    if (report.complete && o.request.sensor_policy)
      fmt::print(piped ? stderr : stdout,
                 "sensors: {}; states in sensors.csv ({}; by all rows together in {:.2g} % of series)\n",
                 report.sensors.empty() ? "all fine" : fmt::format("{} to report", report.sensors.size()),
                 uncertainty::describe_false_alarms(*o.request.calibration, o.request.false_alarms),
                 100 * o.request.false_alarms);
    if (report.complete && !piped && (o.request.sensor_policy || o.request.band))
      fmt::print("look at {}\n", report::write_series_page(report, model->schema(), o.request.out).string());
    if (report.complete && o.request.forces)
      fmt::print("{}: forces.csv, wall_pressure.csv, {}\n", o.request.out.string(),
                 fmt::join(report::write_wall_charts(report.forces, report.pressure, o.request.out), ", "));
  } catch (const reconstruct::RequestError& e) {
    fail("{} ({})", e.what(), flags_for(e.remedy()));
  }
}

}  // namespace

void add_reconstruct(CLI::App& app) {
  auto o = std::make_shared<ReconstructOptions>();
  o->request.out = "reconstruction";
  auto* command = app.add_subcommand("reconstruct", "fields from sensor readings, as files for ParaView or NumPy");
  command->add_option("model", o->model, "a model file or a run folder")->required();
  command->add_option("--readings", o->request.readings,
                      "CSV with a header, one row per time (\"fluidsplat readings\" makes one); -: standard input");
  command->add_option("--sensors", o->request.sensors,
                      "CSV of other sensors than those of training: a column per coordinate, name, channels");
  auto* data = command->add_option("--data", o->request.dataset, "on a mesh of this dataset");
  command
      ->add_option("--mesh-number", o->request.mesh_number,
                   "which mesh of the dataset, for all rows (default: the readings' column \"mesh\")")
      ->needs(data)
      ->check(CLI::NonNegativeNumber);
  auto* mesh =
      command
          ->add_option(
              "--mesh", o->request.mesh_file,
              "on the points of this .vtu, .vtp, .vti or .vtk file; of a .pvtu piece by piece, with memory for one")
          ->excludes(data);
  command
      ->add_option("--grid", o->request.grid, "on a grid of this many points along x, y[, z] over the training domain")
      ->delimiter('x')
      ->excludes(data)
      ->excludes(mesh);
  command
      ->add_option("--piece-points", o->request.piece_points,
                   "write a grid in pieces of at most so many points (.pvti), with memory for one; 0: only if it has "
                   "more than 4 million")
      ->check(CLI::Range(0, 1000000000));
  command->add_option("--out", o->request.out, "folder for the files; -: the fields to standard output, as npy");
  command->add_flag("--strict", o->request.strict, "refuse readings that are unlike those of training");
  command->add_option("--format", o->format, "vtk: VTI/VTU/VTP and a .pvd; npy: arrays")
      ->check(CLI::IsMember({"vtk", "npy"}));
  command->add_flag("--field-only", o->request.field_only, "without scaffold, mass, vorticity and divergence");
  command->add_option("--forces", o->forces, std::string(kForcesHelp) + "; also the pressure along the wall");
  command
      ->add_option(
          "--freestream", o->freestream,
          "speed[,angle in degrees from x towards y[,density]], for forces (default: --data's, if the cases of "
          "a mesh agree)")
      ->delimiter(',')
      ->expected(1, 3);
  auto* level =
      command->add_option("--level", o->level,
                          "bands that hold the truth with this probability (0.9): <channel>_lower, _upper and "
                          "_scale, and calibrated forces and probes with intervals (functionals.csv)");
  level->check(CLI::Range(1e-9, 1.0));
  command->add_flag("--simultaneous", o->simultaneous, "bands for a whole field at once, not for each point by itself")
      ->needs(level);
  command
      ->add_flag("--on-average", o->on_average,
                 "bands hold their level on average over calibrations; without, at least the level, which few cases "
                 "make wide")
      ->needs(level);
  command->add_option("--side", o->side, "both, or only an upper or a lower edge")
      ->needs(level)
      ->check(CLI::IsMember({"both", "upper", "lower"}));
  auto* check =
      command
          ->add_option("--check-sensors", o->check_sensors,
                       "hold each sensor against the others; those that do not fit: mask (ignore them), warn (use them "
                       "all the same) or refuse; states in sensors.csv")
          ->check(CLI::IsMember({"mask", "warn", "refuse"}));
  command->add_option("--false-alarms", o->request.false_alarms, "share of rows in which a sound sensor may be named")
      ->needs(check)
      ->check(CLI::Range(1e-6, 0.5));
  command->add_option("--threads", o->threads, "0 = OMP_NUM_THREADS or all processors")->check(CLI::Range(0, 1024));
  auto* airfrans =
      command
          ->add_option("--airfrans", o->airfrans,
                       "instead of readings: cases of --data from their own sensors, written beside the truth in this "
                       "AirfRANS folder as *_internal_predicted.vtu and *_aerofoil_predicted.vtp")
          ->needs(data);
  command->add_option("--cases", o->cases, "which cases of the run's split, for --airfrans")
      ->needs(airfrans)
      ->check(CLI::IsMember({"test", "validation", "train", "all"}));
  command->callback([o] {
    if (!o->airfrans.empty())
      write_airfrans({o->model, o->request.dataset.string(), o->airfrans, o->cases, o->threads});
    else if (o->request.readings.empty())
      fail("--readings: name the CSV with what the sensors say (or --airfrans, with cases of a dataset)");
    else
      reconstruct_series(*o);
  });
}

}  // namespace fluidsplat::app

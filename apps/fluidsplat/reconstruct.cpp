// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "apps/run_evaluation.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "field/dataset_file.h"
#include "field/sensor_file.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/series.h"

namespace fluidsplat::app {
namespace {

constexpr Index kDefaultGrid = 256;

struct ReconstructOptions {
  std::string model, readings, sensors, data, mesh, format = "vtk";
  std::filesystem::path out = "reconstruction";
  std::vector<Index> grid;
  Index mesh_number = -1;  // -1: what the readings say
  bool field_only = false;
  int threads = 0;
};

// The target of readings without a dataset: one for all rows.
reconstruct::Target make_target(const ReconstructOptions& o, const reconstruct::FieldModel& model) {
  if (!o.mesh.empty()) return reconstruct::target_from_vtk(o.mesh, model.schema());
  if (!model.schema().features.empty())
    fail("the model needs query features ({}), which a plain grid does not have; name the mesh with --data or --mesh",
         model.schema().features.front().name);
  return reconstruct::target_from_grid(o.grid.empty() ? reconstruct::grid_for(model.domain(), kDefaultGrid) : o.grid,
                                       model.domain());
}

// The sensors that speak: those of a CSV, or those of training on the mesh that is asked for.
field::SensorLayout make_sensors(const ReconstructOptions& o, const reconstruct::FieldModel& model,
                                 const field::Mesh& mesh) {
  if (!o.sensors.empty())
    return field::read_sensor_csv(o.sensors, model.schema(), mesh,
                                  field::channel_indices({}, model.schema(), o.sensors));
  const auto& trained = model.sensors();
  const bool placed_by_mesh = !trained.arclengths.empty() || trained.redraw;
  if (!placed_by_mesh) return trained;
  if (!o.data.empty() || !mesh.surface.empty()) return trained.snap(mesh, field::snap_tolerance(mesh)).layout;
  fail(
      "this model's sensors have other places on every mesh; say where they are with --sensors, or name the mesh with "
      "--data");
}

// Where the fields are wanted and the sensors are, row by row; rows of one mesh share a place.
class Places {
 public:
  Places(const ReconstructOptions& o, const reconstruct::FieldModel& model) : options_(o), model_(model) {
    if (o.data.empty()) {
      settle(make_target(o, model));
      return;
    }
    dataset_.emplace(o.data);
    reconstruct::check_schema(model.schema(), dataset_->schema(), dataset_->name());
    if (o.mesh_number >= dataset_->mesh_count())
      fail("--mesh-number {}: {} has meshes 0 to {}", o.mesh_number, o.data, dataset_->mesh_count() - 1);
    choose(std::max<Index>(0, o.mesh_number));
  }
  // Throws Error for a row whose place is not known, before anything is written.
  void check(const reconstruct::ReadingTable& table) const {
    for (std::size_t row = 0; row < table.values.size() && dataset_ && options_.mesh_number < 0; ++row)
      reconstruct::mesh_of_row(table, row, *dataset_, options_.readings);
  }
  void go_to(const reconstruct::ReadingTable& table, std::size_t row) {
    if (dataset_ && options_.mesh_number < 0)
      choose(reconstruct::mesh_of_row(table, row, *dataset_, options_.readings));
  }
  const reconstruct::Target& target() const { return target_; }
  const field::SensorLayout& sensors() const { return sensors_; }

 private:
  void choose(Index number) {
    if (number == number_) return;
    number_ = number;
    settle(reconstruct::target_from_mesh(dataset_->mesh(number)));
  }
  void settle(reconstruct::Target target) {
    target_ = std::move(target);
    sensors_ = make_sensors(options_, model_, *target_.mesh);
    const double outside = reconstruct::share_outside(target_, model_.domain());
    if (outside > 0 && !std::exchange(told_outside_, true))
      fmt::print(stderr,
                 "{:.1f} % of the points lie outside the domain the model was trained on; it only guesses there\n",
                 100 * outside);
  }

  const ReconstructOptions& options_;
  const reconstruct::FieldModel& model_;
  std::optional<field::DatasetFile> dataset_;
  Index number_ = -1;
  bool told_outside_ = false;
  reconstruct::Target target_;
  field::SensorLayout sensors_;
};

void reconstruct_series(const ReconstructOptions& o) {
  reconstruct::FieldModel model(model_file(o.model), o.threads > 0 ? o.threads : available_threads());
  Places places(o, model);
  const auto table = reconstruct::parse_readings(io::read_csv(o.readings), model.schema(), places.sensors());
  const auto instants = table.values.size();
  places.check(table);
  if (!table.silent.empty())
    fmt::print(stderr, "{}: no column for {}; taken as missing\n", o.readings, fmt::join(table.silent, ", "));

  reconstruct::Extras extras;
  if (!o.field_only) {
    extras.scaffold = extras.mass = true;
    extras.vorticity = extras.divergence = !model.velocity().empty();
  }
  std::filesystem::create_directories(o.out);
  auto series =
      o.format == "npy" ? reconstruct::npy_series(o.out, instants) : reconstruct::vtk_series(o.out, "field", model);
  Progress progress("reconstructing", instants);
  for (std::size_t row = 0; row < instants; ++row) {
    places.go_to(table, row);
    const auto readings = reconstruct::instant(table, row, places.sensors());
    const auto& target = places.target();
    series->add(table.times[row], target, model.reconstruct(readings, table.descriptors[row], target.mesh, extras));
    progress.update(static_cast<Index>(row) + 1);
    if (interrupted()) return;
  }
  fmt::print("{} instant{} at {} points: open {}\n", instants, instants == 1 ? "" : "s", places.target().mesh->size(),
             series->finish().string());
}

}  // namespace

void add_reconstruct(CLI::App& app) {
  auto o = std::make_shared<ReconstructOptions>();
  auto* command = app.add_subcommand("reconstruct", "fields from sensor readings, as files for ParaView or NumPy");
  command->add_option("model", o->model, "a model file or a run folder")->required();
  command
      ->add_option("--readings", o->readings, "CSV with a header, one row per time (\"fluidsplat readings\" makes one)")
      ->required();
  command->add_option("--sensors", o->sensors,
                      "CSV of other sensors than those of training: a column per coordinate, name, channels");
  auto* data = command->add_option("--data", o->data, "on a mesh of this dataset");
  command
      ->add_option("--mesh-number", o->mesh_number,
                   "which mesh of the dataset, for all rows (default: the readings' column \"mesh\")")
      ->needs(data)
      ->check(CLI::NonNegativeNumber);
  auto* mesh =
      command->add_option("--mesh", o->mesh, "on the points of this .vtu, .vtp, .vti or .vtk file")->excludes(data);
  command->add_option("--grid", o->grid, "on a grid of this many points along x, y[, z] over the training domain")
      ->delimiter('x')
      ->excludes(data)
      ->excludes(mesh);
  command->add_option("--out", o->out, "folder for the files");
  command->add_option("--format", o->format, "vtk: VTI/VTU/VTP and a .pvd; npy: arrays")
      ->check(CLI::IsMember({"vtk", "npy"}));
  command->add_flag("--field-only", o->field_only, "without scaffold, mass, vorticity and divergence");
  command->add_option("--threads", o->threads, "0 = OMP_NUM_THREADS or all processors")->check(CLI::Range(0, 1024));
  command->callback([o] { reconstruct_series(*o); });
}

}  // namespace fluidsplat::app

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/places.h"

#include <algorithm>

#include "field/free_stream_units.h"
#include "field/sensor_file.h"
#include "reconstruct/grid_pieces.h"
#include "reconstruct/mesh_pieces.h"
#include "reconstruct/request_error.h"

namespace fluidsplat::reconstruct {

Places::Places(const SeriesRequest& request, const FieldModel& model, std::function<void(const std::string&)> note)
    : request_(request), model_(model), note_(std::move(note)) {
  if (request.freestream) reference_ = field::reference_in(model.schema(), *request.freestream);
  if (request.dataset.empty()) {
    settle(target_without_dataset());
    return;
  }
  dataset_.emplace(request.dataset);
  check_schema(model.schema(), dataset_->schema(), dataset_->name());
  if (request.mesh_number >= dataset_->mesh_count())
    refuse(Remedy::choose_mesh, "{}: there is no mesh {}, the meshes are 0 to {}", dataset_->name(),
           request.mesh_number, dataset_->mesh_count() - 1);
  choose(std::max<Index>(0, request.mesh_number));
}

void Places::check(const ReadingTable& table) const {
  for (Index row = 0; row < std::ssize(table.values) && differ_by_row(); ++row)
    mesh_of_row(table, row, *dataset_, request_.readings.string());
}

void Places::go_to(const ReadingTable& table, Index row) {
  if (differ_by_row()) choose(mesh_of_row(table, row, *dataset_, request_.readings.string()));
}

Target Places::target_without_dataset() {
  if (request_.mesh_file.extension() == ".pvtu") {
    if (request_.format == SeriesFormat::npy || request_.out == "-")
      fail("{}: a mesh in pieces is answered in pieces, as VTK files, not as one array", request_.mesh_file.string());
    pieces_ = std::make_unique<MeshPieces>(request_.mesh_file, model_.schema());
    return pieces_->target(0);
  }
  if (!request_.mesh_file.empty()) return target_from_vtk(request_.mesh_file, model_.schema());
  if (!model_.schema().features.empty())
    refuse(Remedy::name_mesh,
           "the model needs query features ({}), which a plain grid does not have; name a mesh that has them",
           model_.schema().features.front().name);
  const auto region = model_.record().region.value_or(KnownRegion{});
  const auto grid = request_.grid.empty() ? default_grid(model_.domain(), region.points) : request_.grid;
  if (request_.format == SeriesFormat::npy || request_.out == "-" || !wants_pieces(grid, request_.piece_points))
    return target_from_grid(grid, model_.domain(), region);
  pieces_ = std::make_unique<GridPieces>(grid, model_.domain(), region, request_.piece_points);
  return pieces_->target(0);
}

// Where there is no mesh to hold sensors against: what the model knows of the data it was trained on.
void Places::check_inside(const field::SensorLayout& sensors) const {
  const auto& box = model_.domain();
  const auto& region = model_.record().region;
  for (Index i = 0; i < sensors.size(); ++i) {
    std::string where, sides;
    bool outside = false;
    for (Index a = 0; a < std::ssize(box.low); ++a) {
      const double x = sensors.positions(i, a), margin = 0.01 * (box.high[a] - box.low[a]);
      where += fmt::format("{}{:.6g}", a ? ", " : "", x);
      sides += fmt::format("{}{:.6g} to {:.6g}", a ? ", " : "", box.low[a], box.high[a]);
      outside = outside || !(x >= box.low[a] - margin && x <= box.high[a] + margin);
    }
    if (outside)
      fail("{}: {} at ({}) is outside the domain of training ({})", request_.sensors.string(), sensors.label(i), where,
           sides);
    if (region && !region->is_near(sensors.positions.row(i), 1))
      fail("{}: {} at ({}) is where there were no data in training (body, land or a hole)", request_.sensors.string(),
           sensors.label(i), where);
  }
}

// The sensors that speak: those of a CSV, or those of training on the mesh that is asked for.
field::SensorLayout Places::sensors_on(const field::Mesh& mesh) const {
  if (!request_.sensors.empty()) {
    auto layout = field::read_sensor_csv(request_.sensors, model_.schema(), mesh,
                                         field::channel_indices({}, model_.schema(), request_.sensors.string()));
    if (!dataset_) return check_inside(layout), layout;
    try {
      field::place(layout, mesh, field::snap_tolerance(mesh));
    } catch (const Error& e) {
      fail("{}: {}", request_.sensors.string(), e.what());
    }
    return layout;
  }
  const auto& trained = model_.sensors();
  const bool placed_by_mesh = !trained.arclengths.empty() || trained.redraw;
  if (!placed_by_mesh) return trained;
  // Of a wall in pieces nobody knows the whole.
  if (dataset_ || (!pieces_ && !mesh.surface.empty()))
    return field::place(trained, mesh, field::snap_tolerance(mesh)).layout;
  refuse(Remedy::place_sensors,
         "this model's sensors have other places on every mesh; say where they are, or name a mesh of a dataset");
}

// A grid of ours is NaN where training had no data; on a mesh of the user's the model answers everywhere.  A point may
// lie a node away from data: that is a wall point of a finer mesh.
void Places::warn_of_guesses(const field::Mesh& mesh) {
  if (!note_) return;
  const char* whose = request_.mesh_file.extension() == ".pvtu" ? "a piece's points" : "the points";
  const double outside = warned_of_outside_ ? 0 : share_outside(mesh, model_.domain());
  if (outside > 0) {
    warned_of_outside_ = true;
    note_(fmt::format("warning: {:.1f} % of {} lie outside the domain the model was trained on; it only guesses there",
                      100 * outside, whose));
  }
  const auto& region = model_.record().region;
  if (request_.mesh_file.empty() || !region || warned_of_holes_) return;
  Index lost = 0;
  for (Index i = 0; i < mesh.size(); ++i) lost += !region->is_near(mesh.points.row(i), 1);
  if (lost == 0) return;
  warned_of_holes_ = true;
  note_(fmt::format(
      "warning: {:.1f} % of {} lie where training had no data (body, land or a hole); it only guesses there",
      100 * double(lost) / double(mesh.size()), whose));
}

void Places::choose(Index number) {
  if (number == number_) return;
  number_ = number;
  settle(target_from_mesh(dataset_->mesh(number)));
  ask_cases(number);
}

void Places::ask_cases(Index mesh) {
  std::vector<Index> here;
  for (Index i = 0; i < dataset_->size(); ++i)
    if (dataset_->mesh_of(i) == mesh) here.push_back(i);
  descriptors_.resize(0);
  if (here.size() == 1) descriptors_ = dataset_->load(here.front()).descriptors;
  if (request_.freestream) return;
  const auto is_same = [&](Index i) { return dataset_->reference(i) == dataset_->reference(here.front()); };
  reference_ = !here.empty() && std::ranges::all_of(here, is_same)
                   ? field::reference_in(model_.schema(), dataset_->reference(here.front()))
                   : field::Reference{};
}

void Places::settle(Target target) {
  target_ = std::move(target);
  sensors_ = sensors_on(*target_.mesh);
  warn_of_guesses(*target_.mesh);
}

}  // namespace fluidsplat::reconstruct

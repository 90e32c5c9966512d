// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cylinder_wake.h"

#include <cmath>

#include "base/error.h"
#include "field/dataset_file.h"

namespace fluidsplat::benchmarks {

field::Mesh wake_mesh(const sim::PixelWindow& window, const std::vector<std::uint8_t>& mask, double length) {
  field::Mesh mesh;
  mesh.grid_shape = {window.rows, window.columns};
  std::vector<std::array<float, 2>> normals;
  for (int row = 0; row < window.rows; ++row)
    for (int column = 0; column < window.columns; ++column) {
      const auto cell = static_cast<Index>(row) * window.columns + column;
      if (mask[cell]) mesh.grid_cell.push_back(cell);
    }
  mesh.points.resize(std::ssize(mesh.grid_cell), 2);
  mesh.features.resize(mesh.points.rows(), 0);
  const double radius = 0.5, ring = 1.0 / window.pixels_per_diameter;
  for (Index i = 0; i < mesh.points.rows(); ++i) {
    const auto cell = mesh.grid_cell[i];
    const double y = (double(cell / window.columns) - window.centre_row) / window.pixels_per_diameter;
    const double x = (double(cell % window.columns) - window.centre_column) / window.pixels_per_diameter;
    mesh.points(i, 0) = float(x);
    mesh.points(i, 1) = float(y);
    // How far from the wall, to first order, and in which direction: x stretched, it is a circle.
    const double r = std::hypot(x / length, y), across_x = x / (length * length * r), across_y = y / r;
    const double steepness = std::hypot(across_x, across_y);
    if (r - radius < ring * steepness) {
      mesh.surface.push_back(i);
      normals.push_back({float(across_x / steepness), float(across_y / steepness)});
    }
  }
  mesh.normals.resize(std::ssize(normals), 2);
  for (std::size_t i = 0; i < normals.size(); ++i) mesh.normals.row(i) << normals[i][0], normals[i][1];
  return mesh;
}

field::Schema wake_schema(bool velocity_and_pressure) {
  field::Schema schema;
  schema.coordinates = {{"x", "D"}, {"y", "D"}};
  schema.channels = {{"vorticity", "U/D"}};
  if (velocity_and_pressure) {
    schema.channels.push_back({"u", "U"});
    schema.channels.push_back({"v", "U"});
    schema.channels.push_back({"p", "rho U^2"});
  }
  return schema;
}

std::map<std::string, std::string> wake_notes(const sim::CylinderCase& flow, const sim::WakeReport& report) {
  std::map<std::string, std::string> notes = {{"reynolds", fmt::format("{:g}", flow.reynolds)},
                                              {"cells_per_diameter", fmt::format("{:g}", flow.cells_per_diameter)}};
  if (flow.length != 1) notes["length"] = fmt::format("{:g}", flow.length);
  if (report.cycles == 0) return notes;
  notes["strouhal"] = fmt::format("{:.8f}", report.strouhal);
  notes["drag_mean"] = fmt::format("{:.6f}", report.drag_mean);
  notes["lift_amplitude"] = fmt::format("{:.6f}", report.lift_amplitude);
  notes["frame_step_periods"] = fmt::format("{:.8f}", report.frame_step * report.strouhal);
  notes["smallest_phase_gap"] = fmt::format("{:.4f}", report.phase_gap);
  return notes;
}

namespace {

sim::WakeReport run_flow(sim::CylinderFlow& flow, const CylinderWakeOptions& options,
                         const std::function<void(const sim::WakeFrame&)>& store, const RunHooks& hooks) {
  if (options.transient <= 0) return sim::make_wake_frames(flow, {.frames = options.frames}, store, hooks);
  sim::WakeReport report;
  report.complete = sim::make_transient_frames(flow, options.frames, options.transient, store, hooks);
  report.frames = options.frames;
  report.frame_step = options.transient / options.frames;
  return report;
}

}  // namespace

sim::WakeReport make_cylinder_wake(const std::filesystem::path& file, const CylinderWakeOptions& options,
                                   const RunHooks& hooks) {
  sim::CylinderFlow flow(options.flow);
  const auto mesh =
      std::make_shared<const field::Mesh>(wake_mesh(options.flow.window, flow.mask(), options.flow.length));
  field::DatasetWriter writer(
      file, wake_schema(options.velocity_and_pressure),
      fmt::format("{} wake at Reynolds number {:g}", options.flow.length == 1 ? "Cylinder" : "Elliptic cylinder",
                  options.flow.reynolds));
  const auto store = [&](const sim::WakeFrame& frame) {
    const auto& image = frame.image;
    std::vector<const std::vector<float>*> columns = {&image.vorticity};
    if (options.velocity_and_pressure) columns.insert(columns.end(), {&image.u, &image.v, &image.pressure});
    field::Case c;
    c.name = fmt::format("frame-{:05d}", frame.index);
    c.time = frame.time;
    c.mesh = mesh;
    c.fields.resize(mesh->size(), std::ssize(columns));
    for (Index i = 0; i < c.fields.rows(); ++i)
      for (std::size_t k = 0; k < columns.size(); ++k) c.fields(i, k) = (*columns[k])[mesh->grid_cell[i]];
    writer.add(c);
  };
  const auto report = run_flow(flow, options, store, hooks);
  if (report.complete) {
    auto notes = wake_notes(options.flow, report);
    if (options.transient > 0) notes["transient"] = fmt::format("{:g}", options.transient);
    writer.set_notes(notes);
    writer.commit();
  }
  return report;
}

}  // namespace fluidsplat::benchmarks

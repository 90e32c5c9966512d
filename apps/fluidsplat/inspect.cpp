// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "apps/primitive_ellipses.h"
#include "apps/run_evaluation.h"
#include "base/error.h"
#include "field/dataset_file.h"
#include "field/sensor_plan.h"
#include "reconstruct/field_model.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/target.h"

namespace fluidsplat::app {
namespace {

struct InspectOptions {
  std::string model, readings, data;
  Index row = 1, index = 0;
  std::filesystem::path out = "inspection";
  std::size_t shown = 64;
};

void print_columns(const char* what, const std::vector<runtime::Column>& columns) {
  for (const auto& c : columns)
    fmt::print("  {:<11} {:<12} {:<8} mean {:<12.6g} scale {:.6g}\n", what, c.name, c.unit.empty() ? "-" : c.unit,
               c.mean, c.scale);
}

void print_model(const reconstruct::FieldModel& model) {
  const auto& d = model.runtime().description();
  const auto& s = d.shape;
  fmt::print("{} parameters, {} dimensions, {} primitives, context {}\n", model.runtime().parameters(), s.dim,
             s.primitives, s.context);
  fmt::print("scaffold: scales {:g} to {:g} of the domain, {}\n", d.scale_min, d.scale_max,
             s.full_rotation ? "free rotation" : "along the axes");
  fmt::print("encoder: {} tokens of width {}, {} Fourier bands{}\n", d.linear_encoder ? "linear" : "MLP",
             d.encoder_width, d.encoder_bands, d.geometry ? ", sees the wall" : "");
  fmt::print("decoder: {}\n",
             !s.has_decoder()
                 ? "none, the scaffold is the answer"
                 : fmt::format("{} layers of {}, {}, {} Fourier bands, {}", s.layers, s.width,
                               s.activation == kernels::Activation::kSine ? "sine" : "GELU", s.bands,
                               s.attends() ? fmt::format("attention {} in {} heads", s.attention_width, s.heads)
                                           : std::string("no attention")));
  print_columns("channel", d.channels);
  print_columns("feature", d.features);
  print_columns("descriptor", d.descriptors);
  for (Index a = 0; a < s.dim; ++a)
    fmt::print("  {:<11} {:<12} {:<8} {:g} to {:g}\n", "coordinate", d.coordinates[a].name,
               d.coordinates[a].unit.empty() ? "-" : d.coordinates[a].unit, d.low[a], d.high[a]);
  fmt::print("{} sensors\n", model.sensors().size());
  for (Index i = 0; i < model.sensors().size(); ++i) {
    const std::size_t k = i;
    std::string seen, at;
    for (int c : model.sensors().channels[k]) seen += (seen.empty() ? "" : " ") + d.channels[c].name;
    for (Index a = 0; a < s.dim; ++a) at += fmt::format("{}{:g}", a ? ", " : "", model.sensors().positions(i, a));
    fmt::print("  {:<11} ({}) sees {}\n",
               k < model.sensors().names.size() && !model.sensors().names[k].empty() ? model.sensors().names[k]
                                                                                     : fmt::format("s{}", i + 1),
               at, seen);
  }
}

// The instant to look at, and a mesh to show it on.
struct Instant {
  field::SensorReadings readings;
  field::Vector descriptors;
  std::shared_ptr<const field::Mesh> mesh;
};

Instant choose_instant(const InspectOptions& o, const reconstruct::FieldModel& model) {
  if (!o.data.empty()) {
    const field::DatasetFile dataset(o.data);
    reconstruct::check_schema(model.schema(), dataset.schema(), dataset.name());
    if (o.index < 0 || o.index >= dataset.size())
      fail("--case {}: {} has cases 0 to {}", o.index, o.data, dataset.size() - 1);
    if (o.readings.empty()) {
      const auto c = dataset.load(o.index);
      const field::SensorPlan sensors(model.sensors(), dataset);
      return {sensors.read(c, dataset.mesh_of(o.index)), c.descriptors, c.mesh};
    }
  }
  const auto table = reconstruct::parse_readings(io::read_csv(o.readings), model.schema(), model.sensors());
  if (o.row < 1 || o.row > std::ssize(table.values))
    fail("--row {}: {} has rows 1 to {}", o.row, o.readings, table.values.size());
  const std::size_t row = o.row - 1;
  if (o.data.empty())
    return {reconstruct::instant(table, row, model.sensors()), table.descriptors[row],
            reconstruct::target_from_grid(mesh::grid_for(model.domain(), 192), model.domain()).mesh};
  const field::DatasetFile dataset(o.data);
  auto mesh = dataset.mesh(reconstruct::mesh_of_row(table, row, dataset, o.readings));
  const auto sensors = model.sensors().snap(*mesh, field::snap_tolerance(*mesh)).layout;
  return {reconstruct::instant(table, row, sensors), table.descriptors[row], std::move(mesh)};
}

void write_primitives(const InspectOptions& o, reconstruct::FieldModel& model) {
  const auto instant = choose_instant(o, model);
  auto primitives = model.primitives(instant.readings, instant.descriptors, instant.mesh);
  std::filesystem::create_directories(o.out);
  io::write_csv(o.out / "primitives.csv", reconstruct::to_table(primitives, model.schema()));
  io::write_vtk(o.out / "primitives.vtp", reconstruct::to_glyphs(primitives, model.schema()));
  fmt::print("{}: primitives.csv, primitives.vtp", o.out.string());
  if (model.schema().dim() == 2) {
    const auto field = model.reconstruct(instant.readings, instant.descriptors, instant.mesh).field;
    reconstruct::sort_by_importance(primitives);
    for (std::size_t c = 0; c < model.schema().channels.size(); ++c) {
      const field::Vector values = field.col(c);
      report::PictureOptions picture;
      picture.sensors = instant.readings.positions;
      picture.ellipses = ellipses_of(primitives, o.shown);
      const auto name = fmt::format("primitives_{}.png", model.schema().channels[c].name);
      io::write_png(o.out / name, report::draw_field(*instant.mesh, values, report::scale_for(values), picture));
      fmt::print(", {}", name);
    }
  }
  fmt::print("\n");
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto o = std::make_shared<InspectOptions>();
  auto* command = app.add_subcommand("inspect", "what a model is made of, and its primitives for a reading");
  command->add_option("model", o->model, "a model file or a run folder")->required();
  auto* readings = command->add_option("--readings", o->readings, "CSV of readings to show the primitives for");
  command->add_option("--row", o->row, "which row of it, from 1")->needs(readings);
  auto* data =
      command->add_option("--data", o->data, "a dataset: its mesh to draw on, and its readings without --readings");
  command->add_option("--case", o->index, "which case of the dataset, from 0")->needs(data);
  command->add_option("--out", o->out, "folder for primitives.csv, .vtp and .png");
  command->add_option("--shown", o->shown, "how many of the weightiest primitives the picture shows");
  command->callback([o] {
    reconstruct::FieldModel model(model_file(o->model));
    print_model(model);
    if (!o->readings.empty() || !o->data.empty()) write_primitives(*o, model);
  });
}

}  // namespace fluidsplat::app

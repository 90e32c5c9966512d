// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/model_inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.h"
#include "field/dataset_file.h"
#include "field/seen_data.h"
#include "field/sensor_placement.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/target.h"

namespace fluidsplat::report {
namespace {

constexpr Index kGridPoints = 192;  // along the longest side, where no mesh is given

std::string or_dash(const std::string& unit) {
  return unit.empty() ? "-" : unit;
}

std::string describe_columns(const char* what, const std::vector<model::Column>& columns,
                             const model::Scaling& scaling) {
  std::string text;
  for (Index i = 0; i < std::ssize(columns); ++i)
    text += fmt::format("  {:<11} {:<12} {:<8} mean {:<12.6g} scale {:.6g}\n", what, columns[i].name,
                        or_dash(columns[i].unit), scaling.mean[i], scaling.scale[i]);
  return text;
}

std::string describe_base(const model::BaseField* base) {
  if (!base) return "";
  return fmt::format("base field: known at {} points; scaffold, decoder and channels are about the deviation from it\n",
                     base->points().rows());
}

std::string describe_prior(const classical::Prior& prior) {
  if (!prior.pod) return "";
  static constexpr const char* kKernels[] = {"linear", "quadratic", "Gaussian", "Matern 5/2", "Matern 9/2"};
  static_assert(std::size(kKernels) == std::size_t(classical::Kernel::kSmoothMatern) + 1);
  const auto& pod = *prior.pod;
  return fmt::format("prior: {} POD modes, {} kernel on {} readings of {} cases; the network's field counts {:.3g}\n",
                     pod.modes(), kKernels[int(pod.ladder().rungs.back().settings.kernel)], pod.readings(), pod.cases(),
                     prior.network_scale);
}

std::string describe_correction(const classical::Kriging& correction, const field::Box& domain) {
  if (!correction.is_on()) return "";
  double longest = 0;
  for (std::size_t a = 0; a < domain.low.size(); ++a) longest = std::max(longest, domain.high[a] - domain.low[a]);
  return fmt::format(
      "correction: what sensors say beyond the answer is carried over lengths of {:.3g}, less where answers differ\n",
      correction.length * longest);
}

std::string describe_domain(const field::Schema& schema, const field::Box& box) {
  std::string text;
  for (std::size_t a = 0; a < schema.coordinates.size(); ++a)
    text += fmt::format("  {:<11} {:<12} {:<8} {:g} to {:g}\n", "coordinate", schema.coordinates[a].name,
                        or_dash(schema.coordinates[a].unit), box.low[a], box.high[a]);
  return text;
}

std::string describe_sensors(const field::Schema& schema, const field::SensorLayout& sensors) {
  std::string text = fmt::format("{} sensors\n", sensors.size());
  for (Index i = 0; i < sensors.size(); ++i) {
    std::string seen, at;
    for (int c : sensors.channels[i]) seen += (seen.empty() ? "" : " ") + schema.channels[c].name;
    for (Index a = 0; a < sensors.positions.cols(); ++a)
      at += fmt::format("{}{:g}", a ? ", " : "", sensors.positions(i, a));
    const bool named = i < std::ssize(sensors.names) && !sensors.names[i].empty();
    text += fmt::format("  {:<11} ({}) sees {}\n", named ? sensors.names[i] : fmt::format("s{}", i + 1), at, seen);
  }
  return text;
}

Instant case_of_dataset(const reconstruct::FieldModel& model, const field::Dataset& dataset, Index index) {
  const auto c = field::SeenData(dataset, model.schema())->load(index);
  const field::SensorPlacement sensors(model.sensors(), dataset);
  return {sensors.read(c, index), reconstruct::descriptors_for(c.descriptors, model.schema()), c.mesh};
}

}  // namespace

std::string describe_model(const reconstruct::FieldModel& model) {
  const auto& schema = model.schema();
  const auto& scaling = model.description().normalization;
  return fmt::format("{}: {} parameters, {} dimensions\n", model.spec().kind(), model.parameters(), schema.dim()) +
         model.spec().describe() + describe_base(model.base()) + describe_prior(model.prior()) +
         describe_correction(model.correction(), model.domain()) +
         describe_columns("channel", schema.channels, scaling.channels) +
         describe_columns("feature", schema.features, scaling.features) +
         describe_columns("descriptor", schema.descriptors, scaling.descriptors) +
         describe_domain(schema, model.domain()) + describe_sensors(schema, model.sensors());
}

Instant load_instant(const reconstruct::FieldModel& model, const InstantSource& source) {
  std::unique_ptr<field::DatasetFile> dataset;
  if (!source.data.empty()) {
    dataset = std::make_unique<field::DatasetFile>(source.data);
    reconstruct::check_schema(model.schema(), dataset->schema(), dataset->name());
    if (source.index < 0 || source.index >= dataset->size())
      fail("{}: there is no case {}; it has cases 0 to {}", source.data, source.index, dataset->size() - 1);
    if (source.readings.empty()) return case_of_dataset(model, *dataset, source.index);
  }
  const auto table = reconstruct::parse_readings(io::read_csv(source.readings), model.schema(), model.sensors());
  if (source.row < 1 || source.row > std::ssize(table.values))
    fail("{}: there is no row {}; it has rows 1 to {}", source.readings, source.row, table.values.size());
  const Index row = source.row - 1;
  if (!dataset)
    return {reconstruct::instant(table, row, model.sensors()), table.descriptors[row],
            reconstruct::target_from_grid(mesh::grid_for(model.domain(), kGridPoints), model.domain()).mesh};
  auto mesh = dataset->mesh(reconstruct::mesh_of_row(table, row, *dataset, source.readings));
  const auto sensors = field::place(model.sensors(), *mesh, field::snap_tolerance(*mesh)).layout;
  return {reconstruct::instant(table, row, sensors), table.descriptors[row], std::move(mesh)};
}

std::vector<draw::Ellipse> ellipses_of(std::vector<reconstruct::Primitive> primitives, Index most) {
  reconstruct::sort_by_importance(primitives);
  std::vector<draw::Ellipse> out;
  for (Index k = 0; k < std::min(most, std::ssize(primitives)); ++k) {
    const auto& p = primitives[k];
    out.push_back(
        {p.centre[0], p.centre[1], p.axes.row(0).norm(), p.axes.row(1).norm(), std::atan2(p.axes(0, 1), p.axes(0, 0))});
  }
  return out;
}

std::vector<std::string> write_primitives(reconstruct::FieldModel& model, const Instant& instant,
                                          const std::filesystem::path& folder, Index shown) {
  const auto& schema = model.schema();
  const auto primitives = model.primitives(instant.readings, instant.descriptors, instant.mesh);
  if (primitives.empty()) return {};
  std::filesystem::create_directories(folder);
  std::vector<std::string> files = {"primitives.csv", "primitives.vtp"};
  io::write_csv(folder / files[0], reconstruct::to_table(primitives, schema));
  io::write_vtk(folder / files[1], reconstruct::to_glyphs(primitives, schema));
  if (schema.dim() != 2) return files;

  draw::PictureOptions picture;
  picture.sensors = instant.readings.positions;
  picture.ellipses = ellipses_of(primitives, shown);
  const draw::Plane plane(*instant.mesh);
  const auto field = model.reconstruct(instant.readings, instant.descriptors, instant.mesh).field;
  for (std::size_t c = 0; c < schema.channels.size(); ++c) {
    const field::Vector values = field.col(c);
    files.push_back(fmt::format("primitives_{}.png", schema.channels[c].name));
    io::write_png(folder / files.back(), draw::draw_field(plane, values, draw::scale_for(values), picture));
  }
  return files;
}

}  // namespace fluidsplat::report

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/series.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace fluidsplat::reconstruct {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

io::VtkArray spread(const Target& target, const std::string& name, const field::Matrix& values, int components) {
  const std::size_t shell_points = target.shell.point_count();
  io::VtkArray out{name, components, std::vector<double>(shell_points * static_cast<std::size_t>(components), kNothing),
                   io::DType::f32};
  for (std::size_t i = 0; i < target.place.size(); ++i)
    for (int c = 0; c < components; ++c)
      out.values[static_cast<std::size_t>(target.place[i]) * static_cast<std::size_t>(components) +
                 static_cast<std::size_t>(c)] = c < values.cols() ? double(values(i, c)) : 0.0;
  return out;
}

// A name that no channel has.
std::string free_name(const std::string& wanted, const field::Schema& schema) {
  for (const auto& c : schema.channels)
    if (c.name == wanted) return "derived_" + wanted;
  return wanted;
}

class VtkSeries : public SeriesWriter {
 public:
  VtkSeries(std::filesystem::path folder, std::string name, const FieldModel& model)
      : folder_(std::move(folder)), name_(std::move(name)), model_(model) {}
  void add(double time, const Target& target, const Reconstruction& said) override {
    const auto file = fmt::format("{}_{:04}{}", name_, entries_.size(), target.extension());
    io::write_vtk(folder_ / file, fill(target, said, model_.schema(), model_.velocity()));
    entries_.push_back({time, file});
  }
  std::filesystem::path finish() override {
    io::write_pvd(folder_ / (name_ + ".pvd"), entries_);
    return folder_ / (name_ + ".pvd");
  }

 private:
  std::filesystem::path folder_;
  std::string name_;
  const FieldModel& model_;
  std::vector<io::PvdEntry> entries_;
};

class NpySeries : public SeriesWriter {
 public:
  NpySeries(std::filesystem::path folder, Index times) : folder_(std::move(folder)), expected_(times) {}
  void add(double time, const Target& target, const Reconstruction& said) override {
    if (!target_.mesh) target_ = target;
    if (target.mesh != target_.mesh)
      fail("an array has one mesh, these readings are of several; write VTK files, or choose rows of one mesh");
    times_.push_back(time);
    put("field", said.field);
    if (said.scaffold.size() > 0) put("scaffold", said.scaffold);
    if (said.mass.size() > 0) put("mass", said.mass);
    if (said.vorticity.size() > 0) put("vorticity", said.vorticity);
    if (said.divergence.size() > 0) put("divergence", said.divergence);
  }
  std::filesystem::path finish() override {
    for (auto& [name, writer] : writers_) writer->commit();
    io::write_npy(folder_ / "time.npy", io::Array::from<double>({expected_}, times_));
    const auto& points = target_.mesh->points;
    io::write_npy(folder_ / "points.npy",
                  io::Array::from<float>({points.rows(), points.cols()}, std::span(points.data(), points.size())));
    return folder_ / "field.npy";
  }

 private:
  void put(const std::string& name, const field::Matrix& values) {
    auto& writer = writers_[name];
    const std::size_t columns = values.cols();
    if (!writer) {
      std::vector<Index> shape = {expected_};
      shape.insert(shape.end(), target_.array_shape.begin(), target_.array_shape.end());
      shape.push_back(values.cols());
      writer = std::make_unique<io::NpyWriter>(folder_ / (name + ".npy"), io::DType::f32, shape);
    }
    std::vector<float> row(static_cast<std::size_t>(target_.shell.point_count()) * columns,
                           std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < target_.place.size(); ++i)
      for (std::size_t c = 0; c < columns; ++c)
        row[static_cast<std::size_t>(target_.place[i]) * columns + c] = values(i, c);
    writer->add_row(std::as_bytes(std::span(row)));
  }

  std::filesystem::path folder_;
  Target target_;
  Index expected_;
  std::vector<double> times_;
  std::map<std::string, std::unique_ptr<io::NpyWriter>> writers_;
};

}  // namespace

io::VtkMesh fill(const Target& target, const Reconstruction& said, const field::Schema& schema,
                 const std::vector<std::size_t>& velocity_channels) {
  io::VtkMesh out = target.shell;
  const auto add = [&](const std::string& name, const field::Matrix& values, int components) {
    out.point_data.push_back(spread(target, name, values, components));
  };
  for (std::size_t c = 0; c < schema.channels.size(); ++c) add(schema.channels[c].name, said.field.col(c), 1);
  if (!velocity_channels.empty()) {
    field::Matrix velocity(said.field.rows(), schema.dim());
    for (Index a = 0; a < velocity.cols(); ++a) velocity.col(a) = said.field.col(velocity_channels[a]);
    add(free_name("velocity", schema), velocity, 3);
  }
  for (std::size_t c = 0; said.scaffold.size() > 0 && c < schema.channels.size(); ++c)
    add("scaffold_" + schema.channels[c].name, said.scaffold.col(c), 1);
  if (said.mass.size() > 0) add(free_name("mass", schema), said.mass, 1);
  if (said.vorticity.size() > 0) add(free_name("vorticity", schema), said.vorticity, int(said.vorticity.cols()));
  if (said.divergence.size() > 0) add(free_name("divergence", schema), said.divergence, 1);
  return out;
}

void add_mesh_data(io::VtkMesh& vtk, const Target& target, const field::Schema& schema) {
  const auto& mesh = *target.mesh;
  const auto add = [&](const std::string& name, const field::Matrix& values, int components) {
    if (!vtk.find_point_data(name)) vtk.point_data.push_back(spread(target, name, values, components));
  };
  for (std::size_t f = 0; f < schema.features.size(); ++f) add(schema.features[f].name, mesh.features.col(f), 1);
  if (mesh.surface.empty()) return;
  field::Matrix wall = field::Matrix::Zero(mesh.size(), 1), areas = wall,
                normals = field::Matrix::Zero(mesh.size(), mesh.points.cols());
  for (std::size_t s = 0; s < mesh.surface.size(); ++s) {
    wall(mesh.surface[s], 0) = 1;
    if (mesh.normals.size() > 0) normals.row(mesh.surface[s]) = mesh.normals.row(s);
    if (!mesh.areas.empty()) areas(mesh.surface[s], 0) = float(mesh.areas[s]);
  }
  add(kWallArray, wall, 1);
  if (mesh.normals.size() > 0) add(kWallNormalsArray, normals, 3);
  if (!mesh.areas.empty()) add(kWallAreasArray, areas, 1);
}

std::unique_ptr<SeriesWriter> vtk_series(const std::filesystem::path& folder, const std::string& name,
                                         const FieldModel& model) {
  return std::make_unique<VtkSeries>(folder, name, model);
}

std::unique_ptr<SeriesWriter> npy_series(const std::filesystem::path& folder, Index times) {
  return std::make_unique<NpySeries>(folder, times);
}

}  // namespace fluidsplat::reconstruct

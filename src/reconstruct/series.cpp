// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/series.h"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "base/error.h"
#include "io/npy.h"
#include "mesh/point_data.h"
#include "mesh/vtk_series.h"

namespace fluidsplat::reconstruct {
namespace {

// A name that no channel has.
std::string free_name(const std::string& wanted, const field::Schema& schema) {
  for (const auto& c : schema.channels)
    if (c.name == wanted) return "derived_" + wanted;
  return wanted;
}

class VtkFiles : public SeriesWriter {
 public:
  VtkFiles(const std::filesystem::path& folder, const std::string& name, const FieldModel& model)
      : name_(name), model_(model), series_(folder, name) {}
  void add(double time, const Target& target, const Reconstruction& said) override {
    series_.add(time, fmt::format("{}_{:04}", name_, series_.size()),
                fill(target, said, model_.schema(), model_.velocity()));
  }
  std::filesystem::path finish() override { return series_.finish(); }

 private:
  std::string name_;
  const FieldModel& model_;
  mesh::VtkSeries series_;
};

class NpyFiles : public SeriesWriter {
 public:
  NpyFiles(std::filesystem::path folder, Index times) : folder_(std::move(folder)), expected_(times) {}
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
    const auto columns = values.cols();
    if (!writer) {
      std::vector<Index> shape = {expected_};
      shape.insert(shape.end(), target_.shell.array_shape.begin(), target_.shell.array_shape.end());
      shape.push_back(columns);
      writer = std::make_unique<io::NpyWriter>(folder_ / (name + ".npy"), io::DType::f32, shape);
    }
    const auto& place = target_.shell.place;
    std::vector<float> row(target_.shell.geometry.point_count() * columns, std::numeric_limits<float>::quiet_NaN());
    for (Index i = 0; i < std::ssize(place); ++i)
      for (Index c = 0; c < columns; ++c) row[place[i] * columns + c] = values(i, c);
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
                 const std::vector<Index>& velocity_channels) {
  io::VtkMesh out = target.shell.geometry;
  const auto add = [&](const std::string& name, const field::Matrix& values, int components) {
    out.point_data.push_back(mesh::point_array(target.shell, name, values, components));
  };
  mesh::add_channels(out, target.shell, schema, said.field);
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

std::unique_ptr<SeriesWriter> vtk_series(const std::filesystem::path& folder, const std::string& name,
                                         const FieldModel& model) {
  return std::make_unique<VtkFiles>(folder, name, model);
}

std::unique_ptr<SeriesWriter> npy_series(const std::filesystem::path& folder, Index times) {
  return std::make_unique<NpyFiles>(folder, times);
}

}  // namespace fluidsplat::reconstruct

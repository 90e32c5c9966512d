// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/series.h"

#include <fmt/format.h>

#include <cerrno>
#include <limits>
#include <map>
#include <ostream>

#include "base/error.h"
#include "base/misuse.h"
#include "base/write_error.h"
#include "io/npy.h"
#include "io/npy_format.h"
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
  void add(double time, const Target& target, const Reconstruction& result, const FieldBands::Edges& edges) override {
    series_.add(time, fmt::format("{}_{:04}", name_, series_.size()),
                fill(target, result, edges, model_.schema(), model_.velocity()));
  }
  void add_piece(double time, const Pieces& pieces, Index piece, const Target& target, const Reconstruction& result,
                 const FieldBands::Edges& edges) override {
    if (piece == 0) series_.begin_pieces(time, fmt::format("{}_{:04}", name_, series_.size()), pieces.dimensions());
    series_.add_piece(fill(target, result, edges, model_.schema(), model_.velocity()));
    if (piece + 1 == pieces.size()) series_.end_pieces();
  }
  std::filesystem::path finish() override { return series_.finish(); }

 private:
  std::string name_;
  const FieldModel& model_;
  mesh::VtkSeries series_;
};

// Values on the points of a target as an array over its shell; NaN where there are none.
std::vector<float> over_shell(const Target& target, const field::Matrix& values) {
  const auto& place = target.shell.place;
  const auto columns = values.cols();
  std::vector<float> out(target.shell.geometry.point_count() * columns, std::numeric_limits<float>::quiet_NaN());
  for (Index i = 0; i < std::ssize(place); ++i)
    for (Index c = 0; c < columns; ++c) out[place[i] * columns + c] = values(i, c);
  return out;
}

// [times, the shell's shape, columns]
std::vector<Index> series_shape(Index times, const Target& target, Index columns) {
  std::vector<Index> shape = {times};
  shape.insert(shape.end(), target.shell.array_shape.begin(), target.shell.array_shape.end());
  shape.push_back(columns);
  return shape;
}

// The coordinates of every point of the shell, also of those without data.
std::vector<float> shell_points(const Target& target) {
  const auto& g = target.shell.geometry;
  const auto dim = target.mesh->points.cols();
  if (g.kind != io::VtkKind::image) return over_shell(target, target.mesh->points);
  std::vector<float> out;
  for (Index k = 0; k < g.dimensions[2]; ++k)
    for (Index j = 0; j < g.dimensions[1]; ++j)
      for (Index i = 0; i < g.dimensions[0]; ++i) {
        const Index at[] = {i, j, k};
        for (Index a = 0; a < dim; ++a) out.push_back(float(g.origin[a] + g.spacing[a] * double(at[a])));
      }
  return out;
}

void check_one_mesh(Target& first, const Target& target) {
  if (!first.mesh) first = target;
  if (target.mesh != first.mesh)
    fail("an array has one mesh, these readings are of several; write VTK files, or choose rows of one mesh");
}

class NpyFiles : public SeriesWriter {
 public:
  NpyFiles(std::filesystem::path folder, Index times) : folder_(std::move(folder)), expected_(times) {}
  void add(double time, const Target& target, const Reconstruction& result, const FieldBands::Edges& edges) override {
    check_one_mesh(target_, target);
    times_.push_back(time);
    put("field", result.field);
    if (result.scaffold.size() > 0) put("scaffold", result.scaffold);
    if (result.mass.size() > 0) put("mass", result.mass);
    if (result.vorticity.size() > 0) put("vorticity", result.vorticity);
    if (result.divergence.size() > 0) put("divergence", result.divergence);
    if (edges.lower.size() > 0) put("lower", edges.lower), put("upper", edges.upper), put("scale", edges.scale);
  }
  std::filesystem::path finish() override {
    for (auto& [name, writer] : writers_) writer->commit();
    // An earlier series may have had what this one has not.
    for (const char* name : {"scaffold", "mass", "vorticity", "divergence", "lower", "upper", "scale"})
      if (!writers_.contains(name)) std::filesystem::remove(folder_ / fmt::format("{}.npy", name));
    io::write_npy(folder_ / "time.npy", io::Array::from<double>({expected_}, times_));
    auto shape = target_.shell.array_shape;
    shape.push_back(target_.mesh->points.cols());
    io::write_npy(folder_ / "points.npy", io::Array::from<float>(shape, shell_points(target_)));
    return folder_ / "field.npy";
  }

 private:
  void put(const std::string& name, const field::Matrix& values) {
    auto& writer = writers_[name];
    if (!writer)
      writer = std::make_unique<io::NpyWriter>(folder_ / (name + ".npy"), io::DType::f32,
                                               series_shape(expected_, target_, values.cols()));
    const auto row = over_shell(target_, values);
    writer->add_row(std::as_bytes(std::span(row)));
  }

  std::filesystem::path folder_;
  Target target_;
  Index expected_;
  std::vector<double> times_;
  std::map<std::string, std::unique_ptr<io::NpyWriter>> writers_;
};

class NpyStream : public SeriesWriter {
 public:
  NpyStream(std::ostream& out, Index times) : out_(out), expected_(times) {}
  void add(double, const Target& target, const Reconstruction& result, const FieldBands::Edges&) override {
    if (!target_.mesh)
      out_ << io::make_npy_header(io::DType::f32, series_shape(expected_, target, result.field.cols()));
    check_one_mesh(target_, target);
    const auto row = over_shell(target, result.field);
    out_.write(reinterpret_cast<const char*>(row.data()), std::ssize(row) * Index{sizeof(float)});
    if (!out_.flush()) fail("standard output: cannot write: {}", write_error_text(errno));
  }
  std::filesystem::path finish() override { return "standard output"; }

 private:
  std::ostream& out_;
  Index expected_;
  Target target_;
};

}  // namespace

void SeriesWriter::add_piece(double, const Pieces&, Index, const Target&, const Reconstruction&,
                             const FieldBands::Edges&) {
  misuse("only VTK files are written in pieces");
}

io::VtkMesh fill(const Target& target, const Reconstruction& result, const FieldBands::Edges& edges,
                 const field::Schema& schema, const std::vector<Index>& velocity_channels) {
  io::VtkMesh out = target.shell.geometry;
  const auto add = [&](const std::string& name, const field::Matrix& values, int components) {
    out.point_data.push_back(mesh::point_array(target.shell, name, values, components));
  };
  mesh::add_channels(out, target.shell, schema, result.field);
  if (!velocity_channels.empty()) {
    field::Matrix velocity(result.field.rows(), schema.dim());
    for (Index a = 0; a < velocity.cols(); ++a) velocity.col(a) = result.field.col(velocity_channels[a]);
    add(free_name("velocity", schema), velocity, 3);
  }
  for (std::size_t c = 0; result.scaffold.size() > 0 && c < schema.channels.size(); ++c)
    add("scaffold_" + schema.channels[c].name, result.scaffold.col(c), 1);
  for (std::size_t c = 0; edges.lower.size() > 0 && c < schema.channels.size(); ++c) {
    add(schema.channels[c].name + "_lower", edges.lower.col(c), 1);
    add(schema.channels[c].name + "_upper", edges.upper.col(c), 1);
    add(schema.channels[c].name + "_scale", edges.scale.col(c), 1);
  }
  if (result.mass.size() > 0) add(free_name("mass", schema), result.mass, 1);
  if (result.vorticity.size() > 0) add(free_name("vorticity", schema), result.vorticity, int(result.vorticity.cols()));
  if (result.divergence.size() > 0) add(free_name("divergence", schema), result.divergence, 1);
  return out;
}

std::unique_ptr<SeriesWriter> vtk_series(const std::filesystem::path& folder, const std::string& name,
                                         const FieldModel& model) {
  return std::make_unique<VtkFiles>(folder, name, model);
}

std::unique_ptr<SeriesWriter> npy_series(const std::filesystem::path& folder, Index times) {
  return std::make_unique<NpyFiles>(folder, times);
}

std::unique_ptr<SeriesWriter> npy_stream(std::ostream& out, Index times) {
  return std::make_unique<NpyStream>(out, times);
}

}  // namespace fluidsplat::reconstruct

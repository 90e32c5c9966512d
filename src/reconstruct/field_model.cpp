// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/field_model.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "field/wall.h"
#include "io/safetensors.h"
#include "reconstruct/request_error.h"
#include "runtime/derivatives.h"

namespace fluidsplat::reconstruct {
namespace {

std::vector<field::Column> columns(const std::vector<runtime::Column>& from) {
  std::vector<field::Column> out;
  for (const auto& c : from) out.push_back({c.name, c.unit});
  return out;
}

std::string names(const std::vector<field::Column>& list) {
  std::string out;
  for (const auto& c : list) out += (out.empty() ? "" : ", ") + c.name;
  return out.empty() ? "none" : out;
}

void check_columns(const char* what, const std::vector<field::Column>& model, const std::vector<field::Column>& data,
                   const std::string& where) {
  const bool same =
      model.size() == data.size() && std::equal(model.begin(), model.end(), data.begin(),
                                                [](const auto& a, const auto& b) { return a.name == b.name; });
  if (!same) fail("{}: its {} are {}; the model was trained on {}", where, what, names(data), names(model));
}

// The layout as training wrote it, with how it is found again on other meshes.
field::SensorLayout read_layout(const std::filesystem::path& file, const field::Schema& schema) {
  const auto metadata = io::SafetensorsFile::open(file).metadata();
  // The runtime has checked the file: the config is there and is JSON.
  return field::layout_from_json(nlohmann::json::parse(metadata.at("config")).at("sensors"), schema, file.string());
}

// A row of the runtime's primitives (unit box, normalised amplitudes) in the data's units.
Primitive physical(const runtime::ModelDescription& d, const float* row) {
  const Index dim = d.shape.dim, channels = d.shape.channels;
  const auto at = [&](Index i) { return double(row[i]); };
  Eigen::VectorXd side(dim);
  for (Index a = 0; a < dim; ++a) side[a] = d.high[a] - d.low[a];
  Primitive p;
  p.centre.resize(dim);
  Eigen::MatrixXd axes = Eigen::MatrixXd::Identity(dim, dim);
  Index next = 2 * dim;
  if (d.shape.full_rotation)
    for (Index i = 0; i < dim; ++i)
      for (Index j = 0; j < dim; ++j) axes(i, j) = at(next++);
  for (Index a = 0; a < dim; ++a) {
    p.centre[a] = d.low[a] + side[a] * at(a);
    axes.row(a) *= at(dim + a);
  }
  // Axes stretched into the domain are no longer at right angles: take those of the stretched ellipsoid.
  axes *= side.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(axes.transpose() * axes);
  p.axes.resize(dim, dim);
  for (Index i = 0; i < dim; ++i)
    p.axes.row(i) =
        std::sqrt(std::max(0.0, eigen.eigenvalues()[dim - 1 - i])) * eigen.eigenvectors().col(dim - 1 - i).transpose();
  p.weight = std::exp(at(next++));
  p.amplitude.resize(channels);
  for (Index c = 0; c < channels; ++c) {
    const auto& column = d.channels[c];
    p.amplitude[c] = column.mean + column.scale * at(next + c);
    p.strength = std::hypot(p.strength, at(next + c));
  }
  return p;
}

}  // namespace

void check_schema(const field::Schema& model, const field::Schema& data, const std::string& where) {
  check_columns("coordinates", model.coordinates, data.coordinates, where);
  check_columns("channels", model.channels, data.channels, where);
  check_columns("features", model.features, data.features, where);
  check_columns("descriptors", model.descriptors, data.descriptors, where);
}

FieldModel::FieldModel(const std::filesystem::path& file, int threads)
    : model_(runtime::Reconstructor::open(file)), threads_(threads) {
  const auto& d = model_.description();
  schema_ = {columns(d.coordinates), columns(d.channels), columns(d.features), columns(d.descriptors)};
  sensors_ = read_layout(file, schema_);
}

field::Box FieldModel::domain() const {
  return {model_.description().low, model_.description().high};
}

std::vector<std::size_t> FieldModel::velocity() const {
  const auto found = runtime::find_velocity(model_.description());
  if (!found) return {};
  return {found->begin(), found->begin() + schema_.dim()};
}

runtime::Plan& FieldModel::plan_for(const field::SensorReadings& readings,
                                    const std::shared_ptr<const field::Mesh>& mesh, bool gradients) {
  const auto same = [](const field::Matrix& a, const field::Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
  };
  if (plan_ && planned_mesh_ == mesh && same(planned_positions_, readings.positions) &&
      same(planned_usual_, readings.usual) && (planned_gradients_ || !gradients))
    return *plan_;

  const auto& d = model_.description();
  runtime::SensorLayout layout;
  layout.positions.assign(readings.positions.data(), readings.positions.data() + readings.positions.size());
  std::vector<int> every(d.shape.channels);
  for (std::size_t c = 0; c < every.size(); ++c) every[c] = int(c);
  // Channels that a sensor does not see are NaN in the readings.
  layout.channels.assign(readings.positions.rows(), every);
  layout.usual.assign(readings.usual.data(), readings.usual.data() + readings.usual.size());

  field::Matrix wall, normals;
  runtime::PlanOptions options;
  options.points = mesh->points.data();
  options.count = static_cast<std::size_t>(mesh->size());
  options.features = mesh->features.size() > 0 ? mesh->features.data() : nullptr;
  options.sensors = &layout;
  options.threads = threads_;
  options.gradients = gradients;
  if (d.geometry) {
    if (mesh->surface.empty())
      refuse(
          Remedy::name_mesh,
          "the model looks at the shape of the wall, but this mesh has none; name a dataset whose mesh has one, or a "
          "VTK file with a point array \"wall\" that is 1 on it");
    const auto kept = field::thin_wall(*mesh, field::kGeometryTokens);
    wall.resize(std::ssize(kept), mesh->points.cols());
    normals.setZero(wall.rows(), wall.cols());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const Index row = i;
      wall.row(row) = mesh->points.row(mesh->surface[kept[i]]);
      // A wall may come without normals, in training as here.
      if (mesh->normals.size() > 0) normals.row(row) = mesh->normals.row(kept[i]);
    }
    options.geometry = {wall.data(), normals.data(), std::ssize(kept)};
  }
  plan_ = std::make_unique<runtime::Plan>(model_.plan(options));
  planned_mesh_ = mesh;
  planned_positions_ = readings.positions;
  planned_usual_ = readings.usual;
  planned_gradients_ = gradients;
  return *plan_;
}

std::vector<float> FieldModel::checked_descriptors(const field::Vector& descriptors) const {
  if (descriptors.size() != std::ssize(schema_.descriptors))
    fail("{} descriptors given, the model needs {} ({})", descriptors.size(), schema_.descriptors.size(),
         names(schema_.descriptors));
  return {descriptors.data(), descriptors.data() + descriptors.size()};
}

Reconstruction FieldModel::reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                                       const std::shared_ptr<const field::Mesh>& mesh, const Extras& extras) {
  const auto conditions = checked_descriptors(descriptors);
  auto& plan = plan_for(readings, mesh, extras.vorticity || extras.divergence);
  const auto n = mesh->size(), c = std::ssize(schema_.channels);
  Reconstruction out;
  runtime::Outputs to;
  out.field.resize(n, c);
  to.field = out.field.data();
  if (extras.scaffold) {
    out.scaffold.resize(n, c);
    to.primitive = out.scaffold.data();
  }
  if (extras.mass) {
    out.mass.resize(n);
    to.mass = out.mass.data();
  }
  if (extras.vorticity) {
    out.vorticity.resize(n, schema_.dim() == 2 ? 1 : 3);
    to.vorticity = out.vorticity.data();
  }
  if (extras.divergence) {
    out.divergence.resize(n);
    to.divergence = out.divergence.data();
  }
  plan.run(readings.values.data(), conditions.empty() ? nullptr : conditions.data(), to);
  return out;
}

std::vector<Primitive> FieldModel::primitives(const field::SensorReadings& readings, const field::Vector& descriptors,
                                              const std::shared_ptr<const field::Mesh>& mesh) {
  const auto conditions = checked_descriptors(descriptors);
  auto& plan = plan_for(readings, mesh, false);
  plan.observe(readings.values.data(), conditions.empty() ? nullptr : conditions.data());
  const auto& d = model_.description();
  const auto width = d.shape.primitive_columns();
  std::vector<float> raw(d.shape.primitives * width);
  plan.copy_primitives(raw.data());
  std::vector<Primitive> out;
  for (Index k = 0; k < d.shape.primitives; ++k) out.push_back(physical(d, raw.data() + k * width));
  return out;
}

}  // namespace fluidsplat::reconstruct

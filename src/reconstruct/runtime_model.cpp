// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/runtime_model.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "field/features_near.h"
#include "field/surface_view.h"
#include "field/wall.h"
#include "reconstruct/request_error.h"

namespace fluidsplat::reconstruct {
namespace {

// A row of the runtime's primitives (unit box, normalised amplitudes) in the data's units.
Primitive physical(const runtime::ModelDescription& d, const float* row) {
  const Index dim = d.spec.dim, channels = d.spec.channels;
  const auto at = [&](Index i) { return double(row[i]); };
  const auto& box = d.normalization.domain;
  Eigen::VectorXd side(dim);
  for (Index a = 0; a < dim; ++a) side[a] = box.high[a] - box.low[a];
  Primitive p;
  p.centre.resize(dim);
  Eigen::MatrixXd axes = Eigen::MatrixXd::Identity(dim, dim);
  Index next = 2 * dim;
  if (d.spec.full_rotation())
    for (Index i = 0; i < dim; ++i)
      for (Index j = 0; j < dim; ++j) axes(i, j) = at(next++);
  for (Index a = 0; a < dim; ++a) {
    p.centre[a] = box.low[a] + side[a] * at(a);
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
    p.amplitude[c] = d.normalization.channels.mean[c] + d.normalization.channels.scale[c] * at(next + c);
    p.strength = std::hypot(p.strength, at(next + c));
  }
  return p;
}

}  // namespace

RuntimeModel::RuntimeModel(const std::filesystem::path& file, int threads)
    : model_(runtime::Reconstructor::open(file)), threads_(threads) {
  const auto opened = model::ModelFile::open(file);
  description_ = opened.description();
  record_ = read_record(opened);
}

runtime::Plan& RuntimeModel::plan_for(const field::SensorReadings& readings,
                                      const std::shared_ptr<const field::Mesh>& mesh, bool gradients,
                                      const uncertainty::LastLayer* layer) {
  const auto same = [](const field::Matrix& a, const field::Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
  };
  if (plan_ && planned_mesh_ == mesh && same(planned_positions_, readings.positions) &&
      same(planned_means_, readings.mean) && (planned_gradients_ || !gradients) &&
      (!layer || same(planned_layer_.directions, layer->directions)))
    return *plan_;

  const auto& d = model_.description();
  field::SensorLayout layout;
  layout.positions = readings.positions;
  // Channels that a sensor does not see are NaN in the readings.
  std::vector<int> every(d.spec.channels);
  std::iota(every.begin(), every.end(), 0);
  layout.channels.assign(readings.positions.rows(), every);
  layout.mean_readings = readings.mean;

  field::Matrix wall, normals;
  runtime::PlanOptions options;
  options.points = mesh->points.data();
  options.count = mesh->size();
  options.features = mesh->features.size() > 0 ? mesh->features.data() : nullptr;
  const field::Matrix sensor_features =
      model_.correction().is_on() ? field::features_near(*mesh, readings.positions) : field::Matrix();
  options.sensor_features = sensor_features.size() > 0 ? sensor_features.data() : nullptr;
  options.sensors = &layout;
  options.threads = threads_;
  options.gradients = gradients;
  options.layer = layer;
  if (d.spec.geometry) {
    const field::SurfaceView surface(*mesh);
    if (surface.empty())
      refuse(
          Remedy::name_mesh,
          "the model looks at the shape of the wall, but this mesh has none; name a dataset whose mesh has one, or a "
          "VTK file with a point array \"wall\" that is 1 on it");
    const auto kept = field::thin_wall(surface, field::kGeometryTokens);
    wall.resize(std::ssize(kept), mesh->points.cols());
    normals.setZero(wall.rows(), wall.cols());
    for (Index i = 0; i < std::ssize(kept); ++i) {
      wall.row(i) = surface.position(kept[i]);
      // A wall may come without normals, in training as here.
      if (surface.has_normals()) normals.row(i) = surface.normal(kept[i]);
    }
    options.geometry = {wall.data(), normals.data(), std::ssize(kept)};
  }
  plan_ = std::make_unique<runtime::Plan>(model_.plan(options));
  planned_mesh_ = mesh;
  planned_positions_ = readings.positions;
  planned_means_ = readings.mean;
  planned_gradients_ = gradients;
  planned_layer_ = layer ? *layer : uncertainty::LastLayer();
  return *plan_;
}

Reconstruction RuntimeModel::reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                                         const std::shared_ptr<const field::Mesh>& mesh, const Extras& extras) {
  check_descriptors(descriptors, schema());
  auto& plan = plan_for(readings, mesh, extras.vorticity || extras.divergence, extras.layer);
  const auto n = mesh->size(), c = std::ssize(schema().channels);
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
    out.vorticity.resize(n, schema().dim() == 2 ? 1 : 3);
    to.vorticity = out.vorticity.data();
  }
  if (extras.divergence) {
    out.divergence.resize(n);
    to.divergence = out.divergence.data();
  }
  if (extras.layer) {
    out.doubt.resize(n);
    to.doubt = out.doubt.data();
  }
  plan.run(readings.values.data(), descriptors.data(), to);
  return out;
}

field::Matrix RuntimeModel::hidden(const field::SensorReadings& readings, const field::Vector& descriptors,
                                   const std::shared_ptr<const field::Mesh>& mesh) {
  if (!spec().has_decoder() || spec().layers == 0) return {};
  check_descriptors(descriptors, schema());
  field::Matrix out(mesh->size(), spec().width);
  plan_for(readings, mesh, false).run(readings.values.data(), descriptors.data(), {.hidden = out.data()});
  return out;
}

std::vector<Primitive> RuntimeModel::primitives(const field::SensorReadings& readings, const field::Vector& descriptors,
                                                const std::shared_ptr<const field::Mesh>& mesh) {
  check_descriptors(descriptors, schema());
  auto& plan = plan_for(readings, mesh, false);
  plan.observe(readings.values.data(), descriptors.data());
  const auto& d = model_.description();
  const auto width = d.spec.primitive_columns();
  std::vector<float> raw(d.spec.primitives * width);
  plan.copy_primitives(raw.data());
  std::vector<Primitive> out;
  for (Index k = 0; k < d.spec.primitives; ++k) out.push_back(physical(d, raw.data() + k * width));
  return out;
}

}  // namespace fluidsplat::reconstruct

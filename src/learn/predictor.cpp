// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/predictor.h"

#include "base/error.h"
#include "learn/batch.h"

namespace fluidsplat::learn {
namespace {

constexpr Index kTile = 4096;

void copy_rows(const torch::Tensor& from, field::Matrix& to, Index first) {
  const auto t = from.to(torch::kCPU, torch::kFloat32).contiguous();
  to.middleRows(first, t.size(0)) = Eigen::Map<const field::Matrix>(t.data_ptr<float>(), t.size(0), t.size(1));
}

}  // namespace

Predictor::Predictor(ModelBundle bundle, torch::Device device) : bundle_(std::move(bundle)), device_(device) {
  bundle_.model->to(device_);
}

Observation Predictor::observe(const field::SensorReadings& readings, const field::Vector& descriptors,
                               const field::Mesh& mesh) {
  auto observation = make_observation({readings}, {descriptors}, bundle_.normalizer, device_);
  if (bundle_.model->config.geometry) {
    const std::shared_ptr<const field::Mesh> borrowed(std::shared_ptr<void>(), &mesh);
    add_geometry(observation, {borrowed}, bundle_.normalizer, device_);
  }
  return observation;
}

Reconstruction Predictor::reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                                      const field::Mesh& mesh, bool with_scaffold) {
  std::vector<Index> all(mesh.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  return reconstruct_at(readings, descriptors, mesh, all, with_scaffold);
}

Reconstruction Predictor::reconstruct_at(const field::SensorReadings& readings, const field::Vector& descriptors,
                                         const field::Mesh& mesh, const std::vector<Index>& points,
                                         bool with_scaffold) {
  torch::NoGradGuard no_grad;
  auto& model = *bundle_.model;
  const auto& normalizer = bundle_.normalizer;
  const auto observation = observe(readings, descriptors, mesh);
  const auto z = model.context(observation);
  const auto state = model.primitives(z);
  const auto n = std::ssize(points);
  const Index d = model.config.dim, c = model.config.channels, f = model.config.features;
  Reconstruction out;
  out.field.resize(n, c);
  field::Matrix mass(with_scaffold ? n : 0, 1);
  if (with_scaffold) out.scaffold.resize(n, c);
  for (Index first = 0; first < n; first += kTile) {
    const auto rows = std::min<Index>(kTile, n - first);
    field::Matrix position(rows, d), feature(rows, f);
    for (Index i = 0; i < rows; ++i) {
      const auto p = points[first + i];
      position.row(i) = mesh.points.row(p);
      if (f > 0) feature.row(i) = mesh.features.row(p);
    }
    position = normalizer.positions(position);
    normalizer.features.normalize(feature);
    const Queries queries{torch::from_blob(position.data(), {1, rows, d}).to(device_),
                          torch::from_blob(feature.data(), {1, rows, f}).to(device_)};
    copy_rows(model.decode(z, observation.descriptors, queries)[0], out.field, first);
    if (with_scaffold) {
      const auto scaffold = evaluate_scaffold(state, queries.positions);
      copy_rows(scaffold.field[0], out.scaffold, first);
      copy_rows(torch::exp(scaffold.log_mass[0]).unsqueeze(-1), mass, first);
    }
  }
  normalizer.channels.restore(out.field);
  if (with_scaffold) {
    normalizer.channels.restore(out.scaffold);
    out.mass = mass.col(0);
  }
  return out;
}

}  // namespace fluidsplat::learn

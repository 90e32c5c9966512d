// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/torch_field_model.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "learn/batch/make_observation.h"

namespace fluidsplat::learn {
namespace {

// Large, because models that think on a grid or in latents begin every tile anew; memory bounds it.
constexpr Index kTile = 1 << 15;

}  // namespace

TorchFieldModel::TorchFieldModel(TrainedModel trained, torch::Device device)
    : trained_(std::move(trained)), device_(device) {
  trained_.model->to(device_);
  description_ = {spec().kind(),          spec().to_json().dump(), trained_.schema,
                  trained_.normalization, trained_.sensors,        trained_.grid_shape};
  record_ = reconstruct::record_from(trained_.blocks, description_, "model");
}

reconstruct::Reconstruction TorchFieldModel::reconstruct(const field::SensorReadings& readings,
                                                         const field::Vector& descriptors,
                                                         const std::shared_ptr<const field::Mesh>& mesh,
                                                         const reconstruct::Extras&) {
  reconstruct::check_descriptors(descriptors, schema());
  std::vector<Index> all(mesh->size());
  std::iota(all.begin(), all.end(), 0);
  reconstruct::Reconstruction out;
  out.field = reconstruct_at(readings, descriptors, mesh, all);
  return out;
}

field::Matrix TorchFieldModel::reconstruct_at(const field::SensorReadings& readings, const field::Vector& descriptors,
                                              const std::shared_ptr<const field::Mesh>& mesh,
                                              const std::vector<Index>& points) {
  field::Matrix out = float(trained_.prior.network_scale) * network_at(readings, descriptors, mesh, points);
  trained_.normalization.channels.restore(out);
  return out + ground_at(readings, mesh, points);
}

field::Matrix TorchFieldModel::ground_at(const field::SensorReadings& readings,
                                         const std::shared_ptr<const field::Mesh>& mesh,
                                         const std::vector<Index>& points) const {
  field::Matrix out = field::Matrix::Zero(std::ssize(points), spec().channels);
  if (trained_.base) out += trained_.base->at(mesh->points)(points, Eigen::all);
  if (!trained_.prior.pod) return out;
  const auto& pod = *trained_.prior.pod;
  field::SensorLayout given;
  given.positions = readings.positions;
  std::vector<int> every(spec().channels);
  std::iota(every.begin(), every.end(), 0);
  given.channels.assign(readings.positions.rows(), every);
  const classical::PriorInputs inputs(pod.places(), trained_.sensors, given, trained_.normalization);
  Eigen::VectorXd heard(inputs.size());
  inputs.read(readings.values.data(), heard.data());
  const field::Matrix rows = pod.fields().at(mesh->points)(points, Eigen::all);
  classical::PodPrior::add(rows.data(), out.rows(), out.cols(), pod.coefficients(heard), out.data());
  return out;
}

field::Matrix TorchFieldModel::network_at(const field::SensorReadings& readings, const field::Vector& descriptors,
                                          const std::shared_ptr<const field::Mesh>& mesh,
                                          const std::vector<Index>& points) {
  torch::NoGradGuard no_grad;
  const auto& normalization = trained_.normalization;
  auto observation = make_observation({readings}, {descriptors}, normalization, device_);
  if (trained_.model->looks_at_wall()) add_geometry(observation, {mesh}, normalization, device_);
  const Index n = std::ssize(points), d = spec().dim, f = spec().features;
  field::Matrix out(n, spec().channels);
  for (Index first = 0; first < n; first += kTile) {
    const auto rows = std::min(kTile, n - first);
    field::Matrix position(rows, d), feature(rows, f);
    for (Index i = 0; i < rows; ++i) {
      position.row(i) = mesh->points.row(points[first + i]);
      if (f > 0) feature.row(i) = mesh->features.row(points[first + i]);
    }
    position = normalization.positions(position);
    normalization.features.normalize(feature);
    Queries queries;
    queries.positions = torch::from_blob(position.data(), {1, rows, d}).to(device_);
    queries.features = torch::from_blob(feature.data(), {1, rows, f}).to(device_);
    queries.points =
        torch::tensor(torch::ArrayRef<std::int64_t>(points.data() + first, rows), torch::kInt64).unsqueeze(0);
    queries.meshes = {mesh};
    const auto field =
        trained_.model->reconstruct(observation, queries)[0].to(torch::kCPU, torch::kFloat32).contiguous();
    out.middleRows(first, rows) = Eigen::Map<const field::Matrix>(field.data_ptr<float>(), rows, out.cols());
  }
  return out;
}

}  // namespace fluidsplat::learn

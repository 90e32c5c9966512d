// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/closed_form_model.h"

#include "base/error.h"
#include "baselines/matrices.h"
#include "learn/batch/make_observation.h"

namespace fluidsplat::baselines {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Matrix;

// The cases' fields on the carrier.  A mesh's are read again whenever they are asked for; what was moved to a grid took
// time and is kept, as far as there is room.
class CarriedCases {
 public:
  CarriedCases(const learn::TrainingData& data, const Carrier& carrier)
      : data_(data), carrier_(carrier), kept_(data.cases.size()) {}
  const float* load(Index t) {
    if (carrier_.is_mesh()) {
      current_ = carrier_.carry(data_, data_.cases[t], carrier_);
      return current_.data();
    }
    if (kept_[t].size() == 0) carry_all_like(t);
    return kept_[t].size() > 0 ? kept_[t].data() : current_.data();
  }

 private:
  // What is around the nodes is found once for all cases on a mesh.
  void carry_all_like(Index t) {
    const auto mesh = data_.dataset.mesh_of(data_.cases[t]);
    const auto own = carrier_.on_mesh(data_, *data_.dataset.mesh(mesh));
    current_ = carrier_.carry(data_, data_.cases[t], own);
    keep(t, current_);
    for (Index other = 0; other < std::ssize(kept_) && room_ >= current_.size(); ++other)
      if (kept_[other].size() == 0 && data_.dataset.mesh_of(data_.cases[other]) == mesh)
        keep(other, carrier_.carry(data_, data_.cases[other], own));
  }
  void keep(Index t, const Matrix& fields) {
    if (room_ < fields.size()) return;
    room_ -= fields.size();
    kept_[t] = fields;
  }

  const learn::TrainingData& data_;
  const Carrier& carrier_;
  Matrix current_;
  std::vector<Matrix> kept_;
  Index room_ = 500'000'000;  // numbers, 2 GB
};

}  // namespace

ClosedFormModel::ClosedFormModel(const std::vector<std::string>& matrices) {
  for (const char* name : {"places", "aspect", "sensors", "mean"}) register_buffer(name, torch::zeros({0, 0}));
  for (const auto& name : matrices) register_buffer(name, torch::zeros({0, 0}));
}

void ClosedFormModel::set_matrix(const std::string& name, const MatrixXd& value) {
  set_matrix(name, to_tensor(value.cast<float>()));
}

MatrixXd ClosedFormModel::as_doubles(const std::string& name) const {
  return to_matrix(matrix(name));
}

void ClosedFormModel::fit(const learn::TrainingData& data) {
  carrier_ = Carrier::of(data);
  sensors_ = KnownSensors(data);
  set_matrix("places", carrier_->places());
  set_matrix("aspect", carrier_->aspect());
  set_matrix("sensors", sensors_.table());

  CarriedCases cases(data, *carrier_);
  const Index count = std::ssize(data.cases), length = carrier_->size() * channels();
  VectorXd sum = VectorXd::Zero(length);
  for (Index t = 0; t < count; ++t) sum += Eigen::Map<const Eigen::VectorXf>(cases.load(t), length).cast<double>();
  const Eigen::VectorXf mean = (sum / double(count)).cast<float>();
  set_matrix("mean", to_tensor(mean.transpose()));

  Eigen::VectorXf current;
  const auto deviation = [&](Index t) {
    current = Eigen::Map<const Eigen::VectorXf>(cases.load(t), length) - mean;
    return current.data();
  };
  Fitting fitting{data, {count, length, deviation}, {}};
  for (const Index i : data.cases) {
    const auto c = data.dataset.load(i);
    fitting.said.push_back(sensors_.match(
        learn::make_observation({data.sensors.read(c, i)}, {c.descriptors}, data.normalization, torch::kCPU), 0));
  }
  fit_deviations(fitting);
  prepare(data.dataset.name());
}

void ClosedFormModel::load(const learn::TensorMap& tensors, const std::string& where) {
  for (const auto& item : named_buffers()) {
    const auto found = tensors.find(item.key());
    if (found == tensors.end() || found->second.dim() != 2) fail("{}: expected a matrix \"{}\"", where, item.key());
    auto buffer = item.value();
    buffer.set_data(found->second.to(torch::kFloat32).contiguous().clone());
  }
  const auto places = matrix("places"), aspect = matrix("aspect"), sensors = matrix("sensors"), mean = matrix("mean");
  const Index dim = spec().dim;
  if (places.size(0) < 1 || places.size(1) != dim || aspect.size(0) != 1 || aspect.size(1) != dim ||
      sensors.size(0) < 1 || sensors.size(1) != KnownSensors::columns(dim) || mean.size(0) != 1 ||
      mean.size(1) != places.size(0) * channels())
    fail("{}: the sizes of places, sensors and mean do not fit each other; the file is damaged", where);
  carrier_.emplace(places, aspect);
  sensors_ = KnownSensors(sensors);
  prepare(where);
}

VectorXd ClosedFormModel::deviations_at_sensors(const Said& said) const {
  return said.values - at_sensors(matrix("mean"), said).col(0);
}

MatrixXd ClosedFormModel::at_sensors(const torch::Tensor& fields, const Said& said) const {
  const auto all = carrier_->look_up(fields, channels(), said.positions);
  const auto at = all.accessor<float, 3>();
  MatrixXd out(said.positions.size(0), fields.size(0));
  for (Index f = 0; f < out.cols(); ++f)
    for (Index s = 0; s < out.rows(); ++s) out(s, f) = at[f][s][said.channels[s]];
  return out;
}

torch::Tensor ClosedFormModel::reconstruct(const learn::Observation& o, const learn::Queries& queries) {
  std::vector<torch::Tensor> fields;
  for (Index b = 0; b < o.values.size(0); ++b) {
    const Place place{queries.positions[b], queries.points.defined() ? queries.points[b] : torch::Tensor()};
    const auto mean = carrier_->look_up(matrix("mean"), channels(), place.positions, place.points)[0];
    fields.push_back(mean + deviation(sensors_.match(o, b), place));
  }
  return torch::stack(fields);
}

}  // namespace fluidsplat::baselines

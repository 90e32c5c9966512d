// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/toy_models.h"

#include <Eigen/Dense>
#include <cmath>

#include "base/error.h"

namespace fluidsplat::learn {
namespace {

struct ToyGridSpec : model::Spec {
  Index width = 24;
  std::string kind() const override { return "toy-grid"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<ToyGridSpec>(*this); }
  void bind(Config& c) override { c.add("model.width", &width, "of the hidden layer").at_least(1).at_most(1024); }
};

class ToyGrid : public Model {
 public:
  ToyGrid(const ToyGridSpec& spec, const DataFacts& facts) : spec_(spec), shape_(facts.grid_shape) {
    if (shape_.size() != 2) fail("model.kind = toy-grid: the data must lie on one 2-D grid");
    hidden_ = register_module("hidden", torch::nn::Linear(kSensors * spec.channels, spec.width));
    grid_ = register_module("grid", torch::nn::Linear(spec.width, shape_[0] * shape_[1] * spec.channels));
  }
  const ToyGridSpec& spec() const override { return spec_; }

  torch::Tensor reconstruct(const Observation& o, const Queries& queries) override {
    namespace F = torch::nn::functional;
    const auto batch = o.values.size(0);
    auto inputs = torch::zeros({batch, kSensors * spec_.channels});
    const auto n = std::min(inputs.size(1), o.values.size(1));
    inputs.slice(1, 0, n).copy_((o.values * o.present).slice(1, 0, n));
    const auto cells = grid_(torch::tanh(hidden_(inputs))).view({batch, spec_.channels, shape_[0], shape_[1]});
    const auto at = (queries.positions * 2 - 1).unsqueeze(1);
    const auto options = F::GridSampleFuncOptions().align_corners(true).padding_mode(torch::kBorder);
    return F::grid_sample(cells, at, options).squeeze(2).transpose(1, 2);
  }

 private:
  static constexpr Index kSensors = 8;
  ToyGridSpec spec_;
  std::vector<Index> shape_;
  torch::nn::Linear hidden_{nullptr}, grid_{nullptr};
};

struct ToyLinearSpec : model::Spec {
  double ridge = 1e-6;
  std::string kind() const override { return "toy-linear"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<ToyLinearSpec>(*this); }
  void bind(Config& c) override { c.add("model.ridge", &ridge, "regularisation").at_least(0); }
};

class ToyLinear : public Model {
 public:
  ToyLinear(const ToyLinearSpec& spec, const DataFacts&) : spec_(spec) {
    maps_ = register_buffer("maps", torch::zeros({0}));
  }
  const ToyLinearSpec& spec() const override { return spec_; }
  bool is_fitted_in_closed_form() const override { return true; }

  void fit(const TrainingData& data) override {
    const Index cases = std::ssize(data.cases), c = spec_.channels;
    Eigen::MatrixXd inputs, outputs;
    for (Index k = 0; k < cases; ++k) {
      const auto loaded = data.dataset.load(data.cases[k]);
      const auto readings = data.sensors.read(loaded, data.cases[k]);
      if (k == 0) inputs.resize(cases, readings.values.size() + 1), outputs.resize(cases, loaded.fields.size());
      field::Matrix fields = loaded.fields;
      data.normalization.channels.normalize(fields);
      inputs(k, 0) = 1;
      for (Index i = 0; i < readings.values.size(); ++i)
        inputs(k, 1 + i) =
            (readings.values.data()[i] - readings.mean.data()[i]) / data.normalization.readings.scale[i % c];
      outputs.row(k) = Eigen::Map<const Eigen::RowVectorXf>(fields.data(), fields.size()).cast<double>();
    }
    const Eigen::MatrixXd gram =
        inputs.transpose() * inputs + spec_.ridge * Eigen::MatrixXd::Identity(inputs.cols(), inputs.cols());
    const field::Matrix maps = gram.ldlt().solve(inputs.transpose() * outputs).cast<float>();
    maps_.set_data(torch::from_blob(const_cast<float*>(maps.data()), {maps.rows(), maps.cols()}).clone());
  }

  torch::Tensor reconstruct(const Observation& o, const Queries& queries) override {
    const auto inputs = torch::cat({torch::ones({o.values.size(0), 1}), o.values}, 1);
    const auto fields = torch::matmul(inputs, maps_).view({o.values.size(0), -1, spec_.channels});
    return fields.gather(1, queries.points.unsqueeze(-1).expand({-1, -1, spec_.channels}));
  }

  void load(const TensorMap& tensors, const std::string& where) override {
    if (tensors.size() != 1 || !tensors.contains("maps")) fail("{}: expected one tensor, \"maps\"", where);
    maps_.set_data(tensors.at("maps").clone());
  }

 private:
  ToyLinearSpec spec_;
  torch::Tensor maps_;
};

}  // namespace

void register_toy_models() {
  auto& registry = ModelRegistry::instance();
  registry.add("toy-grid", model_kind<ToyGridSpec, ToyGrid>());
  registry.add("toy-linear", model_kind<ToyLinearSpec, ToyLinear>());
}

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "baselines/reading_map.h"
#include "learn/model/model.h"

namespace fluidsplat::baselines {

enum class PodMap { kBest, kLinear, kQuadratic, kGaussian, kMatern, kGappy };

// Settings of model.kind = "pod".
struct PodSpec : model::Spec {
  PodMap map = PodMap::kBest;
  Index rank = 100;
  std::string kind() const override { return "pod"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<PodSpec>(*this); }
  void bind(Config& config) override;
};

// The classical method: the field is the training mean plus POD modes, whose coefficients come from the readings by a
// map that is fitted in closed form, regularised by leave-one-out.  "best" takes the map that predicts left-out cases
// best.  Gappy POD has no map: it fits the modes to the readings by least squares, with the variance that each mode has
// among the training cases as prior.
//
// The model keeps the training cases' readings and coefficients, not the map.  A sensor that says nothing is left out
// of the training readings too and the map is fitted anew to those that speak, which takes milliseconds; maps are
// remembered.  Sensors are recognised by place and channel, so their order does not matter.
//
// For cases that share one mesh, and answers at the points of that mesh.
class PodModel : public learn::Model {
 public:
  PodModel(const PodSpec& spec, const learn::DataFacts& facts);

  const PodSpec& spec() const override { return spec_; }
  bool is_fitted_in_closed_form() const override { return true; }
  void fit(const learn::TrainingData& data) override;
  torch::Tensor reconstruct(const learn::Observation& observation, const learn::Queries& queries) override;
  void load(const learn::TensorMap& tensors, const std::string& where) override;

 private:
  // Readings of the sensors that speak (numbers in the training order) to coefficients.
  static constexpr float kSamePlace = 1e-4f;  // of the domain
  using Map = std::function<Eigen::VectorXd(const Eigen::VectorXd& readings)>;
  const Map& map_for(const std::vector<Index>& sensors);
  Map make_map(const std::vector<Index>& sensors) const;
  Eigen::VectorXd coefficients(const learn::Observation& observation, Index b);

  PodSpec spec_;
  // What the model file keeps.  Sensors are single readings: a place and a channel.
  torch::Tensor mean_, modes_;                        // [1, points * C], [J, points * C]
  torch::Tensor case_coefficients_, case_readings_;   // [T, J], [T, S]
  torch::Tensor sensor_positions_, sensor_channels_;  // [S, d] in the unit box, [S, 1]
  torch::Tensor sensor_modes_;                        // [S, J], what a sensor says of a mode
  std::map<std::vector<Index>, Map> maps_;
  std::mutex mutex_;
};

}  // namespace fluidsplat::baselines

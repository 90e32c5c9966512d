// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "baselines/closed_form_model.h"
#include "classical/reading_map.h"

namespace fluidsplat::baselines {

enum class PodMap { kBest, kLinear, kQuadratic, kGaussian, kMatern, kGappy };

// Settings of model.kind = "pod".
struct PodSpec : model::Spec {
  PodMap map = PodMap::kBest;
  Index rank = 100;
  double noise = 0;  // that readings will have, as a share of how much they vary in training
  std::string kind() const override { return "pod"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<PodSpec>(*this); }
  void bind(Config& config) override;
};

// The classical method: the field is the training mean plus POD modes, whose coefficients come from the readings by a
// map that is fitted in closed form, regularised by leave-one-out.  "best" takes the map that predicts left-out cases
// best.  Gappy POD has no map: it fits the modes to what the sensors say (gappy_pod.h), wherever these are.
//
// The model keeps the training cases' readings and coefficients, not the map.  A sensor that says nothing is left out
// of the training readings too and the map is fitted anew to those that speak; maps are remembered.  With few cases,
// where that takes milliseconds, kernel and regularisation are chosen anew too, with many they stay.
class PodModel : public ClosedFormModel {
 public:
  PodModel(const PodSpec& spec, const learn::DataFacts& facts);
  const PodSpec& spec() const override { return spec_; }
  // Fits a map of this model's kind to the modes of another that was fitted to the same data.
  void take_modes(const PodModel& fitted);

 private:
  using Map = std::function<Eigen::VectorXd(const Eigen::VectorXd& readings)>;
  void fit_deviations(const Fitting& fitting) override;
  void prepare(const std::string& where) override;
  torch::Tensor deviation(const Said& said, const Place& place) override;
  bool is_gappy() const;
  void choose_map();
  classical::KernelSettings best_settings(const Eigen::MatrixXd& readings, const Eigen::MatrixXd& coefficients) const;
  Eigen::VectorXd coefficients(const Said& said);
  const Map& map_for(const std::vector<Index>& sensors);
  Map make_map(const std::vector<Index>& sensors) const;

  PodSpec spec_;
  std::map<std::vector<Index>, Map> maps_;
  std::mutex mutex_;
};

}  // namespace fluidsplat::baselines

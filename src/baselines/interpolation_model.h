// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baselines/closed_form_model.h"

namespace fluidsplat::baselines {

enum class Interpolation { kNearest, kInverseDistance, kGaussianProcess };

// Settings of model.kind = "interpolation".
struct InterpolationSpec : model::Spec {
  Interpolation how = Interpolation::kGaussianProcess;
  std::string kind() const override { return "interpolation"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<InterpolationSpec>(*this); }
  void bind(Config& config) override;
};

// What sensors say of the difference from the mean field, carried from where they are to everywhere else.  Channels
// that no sensor reads stay at the mean.  The Gaussian process (kriging, Matern 5/2) has the length and the noise with
// which it predicts the training cases best; the other two have nothing to fit.
class InterpolationModel : public ClosedFormModel {
 public:
  InterpolationModel(const InterpolationSpec& spec, const learn::DataFacts&)
      : ClosedFormModel({"settings"}), spec_(spec) {}
  const InterpolationSpec& spec() const override { return spec_; }

 private:
  struct Settings {
    double length = 1, noise = 0;  // root mean square over the axes, of the domain's longest side; of the variance
  };
  void fit_deviations(const Fitting& fitting) override;
  void prepare(const std::string& where) override;
  torch::Tensor deviation(const Said& said, const Place& place) override;
  // Weights [points, sensors] of what the sensors say at the points; both in space.
  Eigen::MatrixXd weights(const Eigen::MatrixXd& points, const Eigen::MatrixXd& sensors,
                          const Settings& settings) const;

  InterpolationSpec spec_;
  Settings settings_;
};

}  // namespace fluidsplat::baselines

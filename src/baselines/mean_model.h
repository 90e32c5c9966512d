// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baselines/closed_form_model.h"

namespace fluidsplat::baselines {

struct MeanSpec : model::Spec {
  std::string kind() const override { return "mean"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<MeanSpec>(*this); }
  void bind(Config&) override {}
};

// The mean of the training cases, whatever the sensors say: what every other method must beat.
class MeanModel : public ClosedFormModel {
 public:
  MeanModel(const MeanSpec& spec, const learn::DataFacts&) : ClosedFormModel({}), spec_(spec) {}
  const MeanSpec& spec() const override { return spec_; }

 private:
  void fit_deviations(const Fitting&) override {}
  void prepare(const std::string&) override {}
  torch::Tensor deviation(const Said&, const Place& place) override {
    return torch::zeros({place.positions.size(0), channels()});
  }

  MeanSpec spec_;
};

}  // namespace fluidsplat::baselines

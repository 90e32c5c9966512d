// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baselines/layers/pooled_tokens.h"
#include "learn/model/model.h"

namespace fluidsplat::baselines {

// Settings of model.kind = "deeponet".
struct DeepONetSpec : model::Spec {
  PooledTokens tokens;
  Index rank = 128, width = 128;
  Index branch_layers = 2, trunk_layers = 5, bands = 6;
  std::string kind() const override { return "deeponet"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<DeepONetSpec>(*this); }
  void bind(Config& config) override;
  void fit_to(const model::Schema& schema) override;
};

// DeepONet (Lu et al., 2021): the field is a sum of basis functions of the place, which the trunk network learns, times
// coefficients of the case, which the branch network makes of the sensors.  The branch pools a token per reading
// instead of taking a list of readings, so that sensors may be silent and stand in any order.
class DeepONet : public learn::Model {
 public:
  DeepONet(const DeepONetSpec& spec, const learn::DataFacts& facts);

  const DeepONetSpec& spec() const override { return spec_; }
  torch::Tensor reconstruct(const learn::Observation& observation, const learn::Queries& queries) override;
  bool looks_at_wall() const override { return spec_.tokens.geometry; }

 private:
  DeepONetSpec spec_;
  learn::SensorEncoder encoder_{nullptr};
  learn::Mlp branch_{nullptr}, trunk_{nullptr};
  torch::Tensor bias_;  // [C]
};

}  // namespace fluidsplat::baselines

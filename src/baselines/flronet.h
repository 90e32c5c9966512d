// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baselines/layers/latent_grid.h"
#include "baselines/layers/radial_embedding.h"
#include "baselines/layers/u_net.h"
#include "learn/fluidsplat/mlp.h"
#include "learn/model/model.h"

namespace fluidsplat::baselines {

// Settings of model.kind = "flronet".
struct FlroNetSpec : model::Spec {
  Index token_width = 32, token_bands = 6, heads = 4;
  Index nodes = 96, width = 16, levels = 4, head_width = 128;
  bool geometry = false;
  std::string kind() const override { return "flronet"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<FlroNetSpec>(*this); }
  void bind(Config& config) override;
  void check() const override;
  void fit_to(const model::Schema& schema) override;

  Index position_columns() const { return dim * (1 + 2 * token_bands); }
};

// FLRONet (Dang et al., 2025) as the paper has it: tokens of the readings are spread over a grid by their distance, a
// convolutional network makes a field of features of it, and queries interpolate that.  The grid is made once per case.
class FlroNet : public learn::Model {
 public:
  FlroNet(const FlroNetSpec& spec, const learn::DataFacts& facts);

  const FlroNetSpec& spec() const override { return spec_; }
  torch::Tensor reconstruct(const learn::Observation& observation, const learn::Queries& queries) override;
  bool looks_at_wall() const override { return spec_.geometry; }

 private:
  torch::Tensor make_grid(const learn::Observation& observation);

  FlroNetSpec spec_;
  LatentGrid grid_;
  torch::Tensor node_columns_;  // [1, columns, *shape]: what a node knows of its own place
  learn::Mlp token_{nullptr}, wall_{nullptr}, head_{nullptr};
  RadialEmbedding sensor_embedding_{nullptr}, wall_embedding_{nullptr};
  UNet network_{nullptr};
};

}  // namespace fluidsplat::baselines

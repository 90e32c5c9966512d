// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baselines/layers/attention.h"
#include "baselines/layers/sine_positions.h"
#include "learn/model/model.h"

namespace fluidsplat::baselines {

// Settings of model.kind = "senseiver"; those of the published cylinder run.
struct SenseiverSpec : model::Spec {
  Index bands = 32, resolution = 0;
  Index token_width = 16, latents = 256, width = 16;
  Index layers = 3, cross_heads = 2, self_layers = 3, self_heads = 2;
  Index query_width = 16, query_heads = 1;
  bool geometry = false;
  std::string kind() const override { return "senseiver"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<SenseiverSpec>(*this); }
  void bind(Config& config) override;
  void check() const override;
  void fit_to(const model::Schema& schema) override;

  // Columns of a token that are no position: the reading, and its channel where there are several.
  Index reading_columns() const { return channels > 1 ? 1 + channels : 1; }
};

// The Senseiver (Santos et al., 2023), a Perceiver IO: learned latents attend to a token per reading and then to each
// other, layer after layer; a query attends to the latents.  Positions are sines and cosines.
//
// Beyond the published model: sensors may be silent, channels are marked where there are several, descriptors are one
// more token, points of the wall are tokens (model.geometry), and a query knows the features of its point.
class Senseiver : public learn::Model {
 public:
  Senseiver(const SenseiverSpec& spec, const learn::DataFacts& facts);

  const SenseiverSpec& spec() const override { return spec_; }
  torch::Tensor reconstruct(const learn::Observation& observation, const learn::Queries& queries) override;
  bool looks_at_wall() const override { return spec_.geometry; }

 private:
  // Attention to the tokens, then among the latents.
  struct Layer {
    CrossLayer cross{nullptr};
    std::vector<SelfLayer> self;
  };
  Layer make_layer(const std::string& name);
  torch::Tensor encode(const learn::Observation& observation);
  torch::Tensor decode(const torch::Tensor& latents, const learn::Queries& queries);

  SenseiverSpec spec_;
  SinePositions positions_;
  torch::nn::Linear token_{nullptr}, wall_{nullptr}, descriptors_{nullptr}, query_{nullptr}, field_{nullptr};
  torch::Tensor latents_, query_vector_;  // [latents, width], [width]
  Layer first_, others_;                  // layers after the first share their weights
  CrossLayer decoder_{nullptr};
};

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baselines/layers/grid_convolution.h"
#include "baselines/layers/latent_grid.h"
#include "baselines/layers/pooled_tokens.h"
#include "baselines/layers/spectral_convolution.h"
#include "learn/model/model.h"

namespace fluidsplat::baselines {

// Settings of model.kind = "recfno"; the network's are those of the published cylinder run.
struct RecFnoSpec : model::Spec {
  PooledTokens tokens;
  Index seed_nodes = 12, seed_width = 256, nodes = 96;
  Index width = 32, modes = 24, layers = 4, head_width = 128;
  std::string kind() const override { return "recfno"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<RecFnoSpec>(*this); }
  void bind(Config& config) override;
  void check() const override;
  void fit_to(const model::Schema& schema) override;
};

// RecFNO (Zhao et al., 2024): what the sensors say becomes a coarse grid, which is refined and goes through Fourier
// layers; queries interpolate the last one and a small MLP makes their field.  The grid is made once per case.
class RecFno : public learn::Model {
 public:
  RecFno(const RecFnoSpec& spec, const learn::DataFacts& facts);

  const RecFnoSpec& spec() const override { return spec_; }
  torch::Tensor reconstruct(const learn::Observation& observation, const learn::Queries& queries) override;
  bool looks_at_wall() const override { return spec_.tokens.geometry; }

 private:
  torch::Tensor make_grid(const torch::Tensor& context);

  RecFnoSpec spec_;
  LatentGrid seed_grid_, grid_;
  std::vector<Index> smooth_shape_;  // of the seed's grid, twice as fine
  learn::SensorEncoder encoder_{nullptr};
  learn::Mlp seed_{nullptr}, head_{nullptr};
  GridConvolution lift_{nullptr}, smooth0_{nullptr}, smooth1_{nullptr};
  std::vector<SpectralConvolution> spectral_;
  std::vector<GridConvolution> local_;
};

}  // namespace fluidsplat::baselines

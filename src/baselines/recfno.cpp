// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/recfno.h"

#include <cmath>

#include "base/error.h"

namespace fluidsplat::baselines {
namespace {

// More than any grid needs that a training step could afford, and little enough to allocate.
constexpr double kMostNodes = 1 << 22, kMostWeights = 1 << 28;

// Mean zero and variance one over the nodes, for every case and channel.  Without it what tells cases apart is lost
// among the biases of so many layers when training begins.
torch::Tensor each_channel_normal(const torch::Tensor& grid) {
  return torch::instance_norm(grid, {}, {}, {}, {}, /*use_input_stats=*/true, 0, 1e-5, false);
}

}  // namespace

void RecFnoSpec::bind(Config& c) {
  tokens.bind(c);
  c.add("model.seed_nodes", &seed_nodes, "nodes along the longest side of the coarse grid that the readings become")
      .at_least(2)
      .at_most(64);
  c.add("model.seed_width", &seed_width, "width of the hidden layer before the coarse grid").at_least(1).at_most(4096);
  c.add("model.nodes", &nodes, "nodes along the longest side of the grid of the Fourier layers")
      .at_least(4)
      .at_most(1024);
  c.add("model.width", &width, "channels of the grid").at_least(1).at_most(512);
  c.add("model.modes", &modes, "Fourier modes kept on each side of zero along an axis").at_least(1).at_most(128);
  c.add("model.layers", &layers, "Fourier layers").at_least(1).at_most(16);
  c.add("model.head_width", &head_width, "hidden layer of the MLP at a query").at_least(1).at_most(4096);
}

void RecFnoSpec::check() const {
  Spec::check();
  if (std::pow(double(nodes), double(dim)) > kMostNodes)
    fail("model.nodes = {} makes a grid of more than {} nodes in {} dimensions; use fewer", nodes, Index(kMostNodes),
         dim);
  const double kept = dim == 2 ? 2.0 * double(modes * modes) : 4.0 * double(modes * modes * modes);
  if (2 * kept * double(width * width * layers) > kMostWeights)
    fail("model.modes = {}, model.width = {} and model.layers = {} ask for more than {} weights; use fewer", modes,
         width, layers, Index(kMostWeights));
  if (std::pow(double(seed_nodes), double(dim)) * double(seed_width) > kMostWeights)
    fail("model.seed_nodes = {} and model.seed_width = {} ask for more than {} weights; use fewer", seed_nodes,
         seed_width, Index(kMostWeights));
}

void RecFnoSpec::fit_to(const model::Schema& schema) {
  Spec::fit_to(schema);
  geometry_features = tokens.geometry ? dim : 0;
}

RecFno::RecFno(const RecFnoSpec& spec, const learn::DataFacts& facts)
    : spec_(spec),
      seed_grid_(facts.domain, spec.seed_nodes),
      grid_(facts.domain, spec.nodes),
      smooth_shape_(seed_grid_.shape()) {
  const Index d = spec.dim, w = spec.width;
  for (Index& n : smooth_shape_) n *= 2;
  encoder_ = register_module("encoder", spec.tokens.make(spec));
  seed_ =
      register_module("seed", learn::Mlp(std::vector<Index>{spec.tokens.context, spec.seed_width, seed_grid_.size()}));
  lift_ = register_module("lift", GridConvolution(d, 1, w, 1));
  smooth0_ = register_module("smooth0", GridConvolution(d, w, w, 3));
  smooth1_ = register_module("smooth1", GridConvolution(d, w, w, 3));
  for (Index l = 0; l < spec.layers; ++l) {
    const auto number = std::to_string(l);
    spectral_.push_back(register_module("spectral" + number, SpectralConvolution(w, spec.modes, grid_.shape())));
    local_.push_back(register_module("local" + number, GridConvolution(d, w, w, 1)));
  }
  head_ = register_module("head", learn::Mlp(std::vector<Index>{w + spec.features, spec.head_width, spec.channels}));
}

torch::Tensor RecFno::make_grid(const torch::Tensor& context) {
  std::vector<Index> shape = {context.size(0), 1};
  shape.insert(shape.end(), seed_grid_.shape().begin(), seed_grid_.shape().end());
  auto x = resize(lift_(seed_(context).view(shape)), smooth_shape_);
  x = torch::gelu(each_channel_normal(smooth0_(x)));
  x = resize(torch::gelu(each_channel_normal(smooth1_(x))), grid_.shape());
  for (std::size_t l = 0; l < spectral_.size(); ++l) {
    x = spectral_[l](x) + local_[l](x);
    if (l + 1 < spectral_.size()) x = torch::gelu(x);
  }
  return x;
}

torch::Tensor RecFno::reconstruct(const learn::Observation& observation, const learn::Queries& queries) {
  auto x = interpolate_at(make_grid(encoder_(observation)), queries.positions);
  if (spec_.features > 0) x = torch::cat({x, queries.features}, -1);
  return head_(x);
}

}  // namespace fluidsplat::baselines

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/random_decoder.h"

#include <cmath>

#include "base/random.h"
#include "kernels/primitive_maps.h"

namespace fluidsplat::kernels {
namespace {

std::vector<double> to_double(const std::vector<float>& x) {
  return {x.begin(), x.end()};
}

}  // namespace

RandomDecoder::RandomDecoder(const FluidSplatSpec& s, Index queries, std::uint64_t seed) : shape(s) {
  Random random(seed);
  const auto normals = [&](std::vector<float>& x, Index n, double scale) {
    x.resize(n);
    for (float& v : x) v = float(scale * random.normal());
  };
  const Parameters layout(s);
  parameters.resize(layout.size());
  for (const auto& tensor : layout.tensors())
    for (Index i = 0; i < tensor.size(); ++i) {
      const bool gain = tensor.name.find("norm") != std::string::npos && tensor.name.ends_with("weight");
      const double scale = tensor.is_vector ? 0.2 : 1.0 / std::sqrt(double(tensor.cols));
      parameters[tensor.offset + i] = float((gain ? 1.0 : 0.0) + scale * random.normal());
    }
  normals(context, s.context, 1.0);
  normals(descriptors, s.descriptors, 1.0);
  normals(features, queries * s.features, 1.0);
  std::vector<float> raw;
  normals(raw, s.primitives * s.head_columns(), 1.0);
  primitives.resize(s.primitives * s.primitive_columns());
  head_to_primitives(s, 0.02, 0.35, raw.data(), primitives.data());
  for (Index i = 0; i < queries * s.dim; ++i) positions.push_back(float(random.uniform(-0.05, 1.05)));
  exact = {.parameters = to_double(parameters),
           .context = to_double(context),
           .primitives = to_double(primitives),
           .descriptors = to_double(descriptors),
           .positions = to_double(positions),
           .features = to_double(features),
           .count = queries};
}

std::vector<std::pair<std::string, FluidSplatSpec>> shape_grid() {
  FluidSplatSpec base;
  base.context = 13;
  base.primitives = 5;
  base.bands = 2;
  base.attention_width = 8;
  base.heads = 2;
  base.layers = 2;
  base.width = 12;
  std::vector<std::pair<std::string, FluidSplatSpec>> grid;
  const auto add = [&](const std::string& name, auto change) {
    for (Index dim : {2, 3}) {
      FluidSplatSpec s = base;
      s.dim = dim;
      change(s);
      grid.emplace_back(name + ", d = " + std::to_string(dim), s);
    }
  };
  for (Index k : {1, 3, 64, 97, 384}) add("K = " + std::to_string(k), [=](FluidSplatSpec& s) { s.primitives = k; });
  for (Index c : {1, 2, 3, 4}) add("C = " + std::to_string(c), [=](FluidSplatSpec& s) { s.channels = c; });
  add("one head", [](FluidSplatSpec& s) { s.heads = 1; });
  add("four heads of odd width", [](FluidSplatSpec& s) { s.heads = 4, s.attention_width = 20; });
  add("wide heads on several blocks of keys", [](FluidSplatSpec& s) { s.primitives = 300, s.attention_width = 20; });
  add("the global token alone in the last block of keys", [](FluidSplatSpec& s) { s.primitives = 3968; });
  add("axis-aligned", [](FluidSplatSpec& s) { s.rotation = model::Rotation::kAxis; });
  add("no global token", [](FluidSplatSpec& s) { s.global_token = false; });
  add("no state features", [](FluidSplatSpec& s) { s.state_features = false; });
  add("no attention", [](FluidSplatSpec& s) { s.attention = false; });
  add("neither", [](FluidSplatSpec& s) { s.attention = s.state_features = false; });
  add("query features", [](FluidSplatSpec& s) { s.features = 6; });
  add("sine", [](FluidSplatSpec& s) { s.activation = Activation::kSine; });
  const auto modulate = [](FluidSplatSpec& s) { s.descriptors = 3, s.modulation_gain = 0.3f; };
  add("modulated", modulate);
  add("modulated sine", [=](FluidSplatSpec& s) { modulate(s), s.activation = Activation::kSine; });
  add("residual", [](FluidSplatSpec& s) { s.output = Output::kResidual; });
  add("primitive", [](FluidSplatSpec& s) { s.output = Output::kPrimitive; });
  add("odd widths", [](FluidSplatSpec& s) { s.width = 29, s.layers = 3, s.attention_width = 14, s.channels = 3; });
  add("deep slices", [](FluidSplatSpec& s) { s.width = 300, s.layers = 2; });
  add("no hidden layer", [](FluidSplatSpec& s) { s.layers = 0; });
  return grid;
}

}  // namespace fluidsplat::kernels

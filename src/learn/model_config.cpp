// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model_config.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::learn {
namespace {

// One list of members serves writing and reading, so that the two cannot drift apart.
template <typename Config, typename Visit>
void for_each_member(Config& c, Visit&& visit) {
  visit("dim", c.dim);
  visit("channels", c.channels);
  visit("features", c.features);
  visit("descriptors", c.descriptors);
  visit("geometry_features", c.geometry_features);
  visit("primitives", c.primitives);
  visit("rotation", c.rotation);
  visit("scale_min", c.scale_min);
  visit("scale_max", c.scale_max);
  visit("context", c.context);
  visit("encoder", c.encoder);
  visit("encoder_width", c.encoder_width);
  visit("encoder_bands", c.encoder_bands);
  visit("encoder_fuse", c.encoder_fuse);
  visit("geometry", c.geometry);
  visit("bands", c.bands);
  visit("attention", c.attention);
  visit("attention_width", c.attention_width);
  visit("heads", c.heads);
  visit("global_token", c.global_token);
  visit("state_features", c.state_features);
  visit("layers", c.layers);
  visit("width", c.width);
  visit("activation", c.activation);
  visit("omega", c.omega);
  visit("modulation_gain", c.modulation_gain);
  visit("output", c.output);
}

}  // namespace

void ModelConfig::bind(Config& c) {
  c.add("model.primitives", &primitives, "K, Gaussian primitives of the scaffold").at_least(1).at_most(1 << 16);
  c.add("model.rotation", &rotation, "may primitives turn").one_of({"full", "axis"});
  c.add("model.scale_min", &scale_min, "smallest primitive scale, in units of the domain").at_least(1e-5).at_most(10);
  c.add("model.scale_max", &scale_max, "largest primitive scale").at_least(1e-5).at_most(10);
  c.add("model.context", &context, "width of the context z").at_least(1).at_most(4096);
  c.add("model.encoder", &encoder, "paper: MLP on position and reading; linear: the reading enters linearly")
      .one_of({"paper", "linear"});
  c.add("model.encoder_width", &encoder_width, "width of the sensor tokens").at_least(1).at_most(4096);
  c.add("model.encoder_bands", &encoder_bands, "Fourier bands of a sensor's position").at_least(0).at_most(12);
  c.add("model.encoder_fuse", &encoder_fuse, "how pooled tokens become z").one_of({"mlp", "linear"});
  c.add("model.geometry", &geometry, "fuse tokens of the wall's shape into z");
  c.add("model.bands", &bands, "Fourier bands of a query's position").at_least(0).at_most(12);
  c.add("model.attention", &attention, "queries attend to the primitives");
  c.add("model.attention_width", &attention_width, "width of the attention").at_least(1).at_most(4096);
  c.add("model.heads", &heads, "attention heads").at_least(1).at_most(64);
  c.add("model.global_token", &global_token, "one more token, made from z, to attend to");
  c.add("model.state_features", &state_features, "the decoder sees the scaffold and its mass");
  c.add("model.layers", &layers, "hidden layers of the residual MLP").at_least(1).at_most(16);
  c.add("model.width", &width, "width of the residual MLP").at_least(1).at_most(8192);
  c.add("model.activation", &activation, "of the residual MLP").one_of({"gelu", "sine"});
  c.add("model.omega", &omega, "the sine activation is sin(omega a)").at_least(0.01).at_most(100);
  c.add("model.modulation_gain", &modulation_gain, "featurewise modulation by case descriptors, 0 = none")
      .at_least(0)
      .at_most(10);
  c.add("model.output", &output, "what is answered").one_of({"full", "residual", "primitive"});
}

void ModelConfig::check() const {
  if (dim != 2 && dim != 3) fail("model: the data has {} coordinates; 2 and 3 are supported", dim);
  if (channels < 1 || channels > 1024) fail("model: {} channels are not supported", channels);
  if (scale_min >= scale_max) fail("model.scale_min = {} must be below model.scale_max = {}", scale_min, scale_max);
  if (attention && attention_width % heads != 0)
    fail("model.attention_width = {} must be a multiple of model.heads = {}", attention_width, heads);
}

nlohmann::json to_json(const ModelConfig& config) {
  nlohmann::json json;
  for_each_member(config, [&](const char* name, const auto& value) { json[name] = value; });
  return json;
}

ModelConfig model_config_from_json(const nlohmann::json& json, const std::string& where) {
  ModelConfig config;
  for_each_member(config, [&](const char* name, auto& value) {
    try {
      value = json.at(name).get<std::remove_reference_t<decltype(value)>>();
    } catch (const nlohmann::json::exception&) {
      fail("{}: the model's setting \"{}\" is missing or of the wrong type", where, name);
    }
  });
  Config ranges;
  config.bind(ranges);
  try {
    ranges.check();
    config.check();
  } catch (const Error& e) {
    fail("{}: {}", where, e.what());
  }
  return config;
}

}  // namespace fluidsplat::learn

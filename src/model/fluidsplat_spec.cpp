// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fluidsplat_spec.h"

#include "base/error.h"

namespace fluidsplat::model {

void FluidSplatSpec::bind(Config& c) {
  c.add("model.primitives", &primitives, "K, Gaussian primitives of the scaffold").at_least(1).at_most(1 << 16);
  c.add_choice("model.rotation", &rotation, {{"full", Rotation::kFull}, {"axis", Rotation::kAxis}},
               "may primitives turn");
  c.add("model.scale_min", &scale_min, "smallest primitive scale, in units of the domain").at_least(1e-5).at_most(10);
  c.add("model.scale_max", &scale_max, "largest primitive scale").at_least(1e-5).at_most(10);
  c.add("model.context", &context, "width of the context z").at_least(1).at_most(4096);
  c.add_choice("model.encoder", &encoder, {{"paper", TokenKind::kPaper}, {"linear", TokenKind::kLinear}},
               "paper: MLP on position and reading; linear: the reading enters linearly");
  c.add("model.encoder_width", &encoder_width, "width of the sensor tokens").at_least(1).at_most(4096);
  c.add("model.encoder_bands", &encoder_bands, "Fourier bands of a sensor's position").at_least(0).at_most(12);
  c.add_choice("model.encoder_fuse", &encoder_fuse, {{"mlp", Fuse::kMlp}, {"linear", Fuse::kLinear}},
               "how pooled tokens become z");
  c.add("model.geometry", &geometry, "fuse tokens of the wall's shape into z");
  c.add("model.bands", &bands, "Fourier bands of a query's position").at_least(0).at_most(12);
  c.add("model.attention", &attention, "queries attend to the primitives");
  c.add("model.attention_width", &attention_width, "width of the attention").at_least(1).at_most(4096);
  c.add("model.heads", &heads, "attention heads").at_least(1).at_most(64);
  c.add("model.global_token", &global_token, "one more token, made from z, to attend to");
  c.add("model.state_features", &state_features, "the decoder sees the scaffold and its mass");
  c.add("model.layers", &layers, "hidden layers of the residual MLP").at_least(1).at_most(16);
  c.add("model.width", &width, "width of the residual MLP").at_least(1).at_most(8192);
  c.add_choice("model.activation", &activation, {{"gelu", Activation::kGelu}, {"sine", Activation::kSine}},
               "of the residual MLP");
  c.add("model.omega", &omega, "the sine activation is sin(omega a)").at_least(0.01).at_most(100);
  c.add("model.modulation_gain", &modulation_gain, "featurewise modulation by case descriptors, 0 = none")
      .at_least(0)
      .at_most(10);
  c.add_choice("model.output", &output,
               {{"full", Output::kFull}, {"residual", Output::kResidual}, {"primitive", Output::kPrimitive}},
               "what is answered");
}

void FluidSplatSpec::check() const {
  Spec::check();
  if (scale_min >= scale_max) fail("model.scale_min = {} must be below model.scale_max = {}", scale_min, scale_max);
  if (attention && attention_width % heads != 0)
    fail("model.attention_width = {} must be a multiple of model.heads = {}", attention_width, heads);
}

std::string FluidSplatSpec::describe() const {
  std::string text = fmt::format("scaffold: {} primitives, scales {:g} to {:g} of the domain, {}\n", primitives,
                                 scale_min, scale_max, full_rotation() ? "free rotation" : "along the axes");
  text += fmt::format("encoder: {} tokens of width {}, {} Fourier bands, context {}{}\n",
                      linear_encoder() ? "linear" : "MLP", encoder_width, encoder_bands, context,
                      geometry ? ", sees the wall" : "");
  if (!has_decoder()) return text + "decoder: none, the scaffold is the answer\n";
  return text + fmt::format("decoder: {} layers of {}, {}, {} Fourier bands, {}\n", layers, width,
                            activation == Activation::kSine ? "sine" : "GELU", bands,
                            attends() ? fmt::format("attention {} in {} heads", attention_width, heads)
                                      : std::string("no attention"));
}

void FluidSplatSpec::fit_to(const Schema& schema) {
  Spec::fit_to(schema);
  geometry_features = geometry ? dim : 0;
}

}  // namespace fluidsplat::model

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/encoder.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "kernels/tile_buffers.h"

namespace fluidsplat::runtime {
namespace {

kernels::DenseNetwork read_network(model::ModelFile::Weights& weights, const std::string& name, Index inputs,
                                   Index width) {
  std::vector<kernels::DenseLayer> layers;
  for (int l = 0; l < 3; ++l) {
    const std::string prefix = name + "." + std::to_string(l);
    const Index cols = l == 0 ? inputs : width;
    layers.push_back({.weight = weights.matrix(prefix + ".weight", width, cols),
                      .bias = weights.vector(prefix + ".bias", width),
                      .rows = width,
                      .cols = cols});
  }
  return kernels::DenseNetwork(layers);
}

// [mean | max] over tokens of panels [panel][rows][width], for the tokens that `present` accepts; zeros for none.
template <class Present>
void mean_and_max(const float* panels, Index count, Index rows, Present present, float* out) {
  const Index width = kernels::panel_width();
  Index used = 0;
  for (Index i = 0; i < count; ++i) used += present(i);
  for (Index row = 0; row < rows; ++row) {
    double sum = 0;
    float top = -std::numeric_limits<float>::max();
    for (Index i = 0; i < count; ++i) {
      if (!present(i)) continue;
      const float v = panels[(i / width * rows + row) * width + i % width];
      sum += v;
      top = std::max(top, v);
    }
    out[row] = used ? float(sum / double(used)) : 0.0f;
    out[rows + row] = used ? top : 0.0f;
  }
}

Index panels_for(Index count) {
  return (count + kernels::panel_width() - 1) / kernels::panel_width();
}

// Fourier features of `count` unit-box positions as the first rows of panels with `rows` rows.
void fourier_rows(const ModelDescription& d, const std::vector<float>& positions, Index rows, float* panels) {
  const Index width = kernels::panel_width(), dim = d.spec.dim, count = positions.size() / dim;
  for (Index first = 0; first < count; first += width)
    kernels::fourier_panel(&positions[first * dim], std::min(width, count - first), dim, d.spec.encoder_bands,
                           panels + first * rows);
}

}  // namespace

Encoder::Encoder(const ModelDescription& d, model::ModelFile::Weights& weights) {
  const Index place = d.spec.place_inputs(), e = d.spec.encoder_width;
  if (d.spec.linear_encoder()) {
    gain_ = read_network(weights, "encoder.gain", place, e);
    bias_ = read_network(weights, "encoder.bias", place, e);
  } else {
    token_ = read_network(weights, "encoder.token", place + 1, e);
  }
  if (d.spec.geometry)
    geometry_ = read_network(weights, "encoder.geometry", d.spec.sensor_fourier() + d.spec.geometry_features, e);
  for (Index l = 0; l < (d.spec.linear_fuse() ? 1 : 2); ++l) {
    const std::string prefix = "encoder.fuse." + std::to_string(l);
    const Index cols = l == 0 ? d.spec.fuse_inputs() : d.spec.context, rows = d.spec.context;
    const float* w = weights.matrix(prefix + ".weight", rows, cols);
    fuse_weights_.emplace_back(w, w + rows * cols);
    const float* b = weights.vector(prefix + ".bias", rows);
    fuse_biases_.emplace_back(b, b + rows);
  }
}

kernels::DenseLayer Encoder::fuse(Index layer) const {
  const auto &weight = fuse_weights_[layer], &bias = fuse_biases_[layer];
  const Index rows = std::ssize(bias);
  return {.weight = weight.data(), .bias = bias.data(), .rows = rows, .cols = std::ssize(weight) / rows};
}

EncoderPlan::EncoderPlan(const ModelDescription& d, const Encoder& encoder, const SensorLayout& layout,
                         const GeometryPoints& geometry)
    : description_(d), encoder_(encoder), fused_(d.spec.fuse_inputs()), hidden_(d.spec.context) {
  model::check_layout(layout, d.spec.dim, d.spec.channels, "sensor layout");
  for (Index s = 0; s < layout.size(); ++s)
    for (int channel : layout.channels[s]) {
      const bool known = layout.mean_readings.size() > 0;
      tokens_.push_back({.reading = s * d.spec.channels + channel,
                         .channel = channel,
                         .mean = known ? layout.mean_readings(s, channel) : d.normalization.readings.mean[channel]});
    }
  values_.resize(tokens_.size());
  panels_ = panels_for(tokens_.size());
  const Index rows = d.spec.place_inputs() + (d.spec.linear_encoder() ? 0 : 1), width = kernels::panel_width();
  inputs_ = kernels::Buffer(panels_ * rows * width);
  results_ = kernels::Buffer(panels_ * d.spec.encoder_width * width);
  place_rows(layout, rows, inputs_.data());
  if (d.spec.linear_encoder()) {
    scratch_ = kernels::Buffer(std::max(encoder.gain_.scratch_size(), encoder.bias_.scratch_size()));
    gains_ = kernels::Buffer(results_.size());
    biases_ = kernels::Buffer(results_.size());
    encoder.gain_.run(inputs_.data(), panels_, scratch_.data(), gains_.data());
    encoder.bias_.run(inputs_.data(), panels_, scratch_.data(), biases_.data());
  } else {
    scratch_ = kernels::Buffer(encoder.token_.scratch_size());
  }
  if (d.spec.geometry) pool_geometry(geometry);
}

void EncoderPlan::place_rows(const SensorLayout& layout, Index rows, float* panels) const {
  const auto& d = description_;
  const Index dim = d.spec.dim, width = kernels::panel_width();
  std::vector<float> positions;
  for (const auto& token : tokens_)
    for (Index i = 0; i < dim; ++i)
      positions.push_back(d.normalization.position(i, layout.positions(token.reading / d.spec.channels, i)));
  fourier_rows(d, positions, rows, panels);
  for (Index i = 0; i < std::ssize(tokens_); ++i) {
    const Index row = d.spec.sensor_fourier() + tokens_[i].channel;
    panels[(i / width * rows + row) * width + i % width] = 1.0f;
  }
}

void EncoderPlan::pool_geometry(const GeometryPoints& g) {
  const auto& d = description_;
  const Index dim = d.spec.dim, width = kernels::panel_width(), features = d.spec.geometry_features;
  if (g.count > 0 && (!g.positions || (features > 0 && !g.features)))
    fail("the model looks at wall points with {} features each; give their positions and features", features);
  const Index rows = d.spec.sensor_fourier() + features, panels = panels_for(g.count);
  kernels::Buffer inputs(panels * rows * width), results(panels * d.spec.encoder_width * width),
      scratch(encoder_.geometry_.scratch_size());
  std::vector<float> positions(g.count * dim);
  for (Index i = 0; i < std::ssize(positions); ++i) positions[i] = d.normalization.position(i % dim, g.positions[i]);
  fourier_rows(d, positions, rows, inputs.data());
  for (Index i = 0; i < g.count; ++i)
    for (Index f = 0; f < features; ++f)
      inputs.data()[(i / width * rows + d.spec.sensor_fourier() + f) * width + i % width] =
          g.features[i * features + f];
  encoder_.geometry_.run(inputs.data(), panels, scratch.data(), results.data());
  mean_and_max(
      results.data(), g.count, d.spec.encoder_width, [](Index) { return true; },
      fused_.data() + d.spec.pooled_sensors());
}

void EncoderPlan::pool_tokens() {
  const auto& d = description_;
  const Index rows = d.spec.place_inputs() + 1, width = kernels::panel_width();
  // The reading is the last input row; absent ones are zero there and left out of the pooling.
  for (Index i = 0; i < std::ssize(tokens_); ++i)
    inputs_.data()[(i / width * rows + rows - 1) * width + i % width] = std::isnan(values_[i]) ? 0.0f : values_[i];
  encoder_.token_.run(inputs_.data(), panels_, scratch_.data(), results_.data());
  mean_and_max(
      results_.data(), tokens_.size(), d.spec.encoder_width, [&](Index i) { return !std::isnan(values_[i]); },
      fused_.data());
}

void EncoderPlan::pool_linear() {
  const Index rows = description_.spec.encoder_width, width = kernels::panel_width();
  Index used = 0;
  for (float v : values_) used += !std::isnan(v);
  for (Index row = 0; row < rows; ++row) {
    double sum = 0;
    for (Index i = 0; i < std::ssize(tokens_); ++i) {
      const Index at = (i / width * rows + row) * width + i % width;
      if (!std::isnan(values_[i])) sum += gains_.data()[at] * values_[i] + biases_.data()[at];
    }
    fused_[row] = used ? float(sum / double(used)) : 0.0f;
  }
}

void EncoderPlan::encode(const float* readings, const float* descriptors, float* z) {
  const auto& d = description_;
  for (Index i = 0; i < std::ssize(tokens_); ++i) {
    const float reading = readings[tokens_[i].reading];
    const double scale = d.normalization.readings.scale[tokens_[i].channel];
    // An infinite reading is a broken sensor: it says nothing either.
    values_[i] =
        std::isfinite(reading) ? float((reading - tokens_[i].mean) / scale) : std::numeric_limits<float>::quiet_NaN();
  }
  if (d.spec.linear_encoder())
    pool_linear();
  else
    pool_tokens();
  std::copy_n(descriptors, d.spec.descriptors, fused_.data() + d.spec.pooled_sensors() + d.spec.pooled_geometry());
  kernels::matrix_vector(encoder_.fuse(0), fused_.data(), d.spec.linear_fuse() ? z : hidden_.data());
  if (d.spec.linear_fuse()) return;
  kernels::gelu(hidden_.data(), d.spec.context);
  kernels::matrix_vector(encoder_.fuse(1), hidden_.data(), z);
}

}  // namespace fluidsplat::runtime

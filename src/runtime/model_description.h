// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/index.h"
#include "kernels/decoder_shape.h"

namespace fluidsplat::runtime {

// A named quantity and how it is normalised: (value - mean) / scale.
struct Column {
  std::string name, unit;
  double mean = 0.0, scale = 1.0;
  // Channels only: how a sensor's reading is normalised, (reading - usual) / reading_scale; reading_mean stands in for
  // a sensor whose usual reading is unknown.
  double reading_mean = 0.0, reading_scale = 1.0;
};

// Where sensors are, in physical units, and which channels each one sees.
struct SensorLayout {
  std::vector<float> positions;            // [count][d]
  std::vector<std::vector<int>> channels;  // per sensor
  std::vector<std::string> names;          // per sensor, or empty
  std::vector<float> usual;                // [count][C]: what each says on average, or empty when unknown
  Index count() const { return channels.size(); }
};

// Everything a model file says about itself besides its weights (docs/model.md, "The model file").
struct ModelDescription {
  kernels::DecoderShape shape;
  double scale_min = 0.0, scale_max = 1.0;
  bool linear_encoder = false, linear_fuse = false, geometry = false;
  Index encoder_width = 0, encoder_bands = 0, geometry_features = 0;
  std::vector<Column> channels, features, descriptors, coordinates;
  std::vector<double> low, high;  // the domain that becomes the unit box
  SensorLayout sensors;

  // Widths of the encoder's parts.
  Index sensor_fourier() const { return shape.dim * (1 + 2 * encoder_bands); }
  Index place_inputs() const { return sensor_fourier() + shape.channels; }
  Index pooled_sensors() const { return linear_encoder ? encoder_width : 2 * encoder_width; }
  Index pooled_geometry() const { return geometry ? 2 * encoder_width : 0; }
  Index fuse_inputs() const { return pooled_sensors() + pooled_geometry() + shape.descriptors; }
};

// Reads a model file's metadata.  Throws Error, naming `where` and the setting, for anything missing, of a wrong type
// or out of range; sizes are bounded here, before anything is allocated from them.
ModelDescription parse_description(const std::map<std::string, std::string>& metadata, const std::string& where);

// Throws Error unless the layout fits the model: one channel list per sensor, channels that exist, finite positions.
void check_layout(const SensorLayout& layout, Index dim, Index channels, const std::string& where);

}  // namespace fluidsplat::runtime

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/sensors.h"
#include "learn/model/observation.h"

namespace fluidsplat::learn {

// Readings of several cases as one padded Observation.  NaN readings become absent tokens.
Observation make_observation(const std::vector<field::SensorReadings>& readings,
                             const std::vector<field::Vector>& descriptors, const model::Normalization& normalization,
                             const torch::Device& device);

// The wall of each case as geometry tokens (positions and normals), thinned to a few hundred points.
void add_geometry(Observation& observation, const std::vector<std::shared_ptr<const field::Mesh>>& meshes,
                  const model::Normalization& normalization, const torch::Device& device);

inline torch::Tensor to_device(const torch::Tensor& t, const torch::Device& device) {
  return device.is_cpu() ? t : t.to(device);
}

}  // namespace fluidsplat::learn

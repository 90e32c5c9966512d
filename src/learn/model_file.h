// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "field/normalizer.h"
#include "field/sensors.h"
#include "learn/model.h"

namespace fluidsplat::learn {

// A trained model with all that is needed to use it; what one model file holds.
struct ModelBundle {
  field::Schema schema;
  field::Normalizer normalizer;
  field::SensorLayout sensors;
  std::shared_ptr<FluidSplat> model;
};

// Written whole or not at all; non-finite weights are refused.
void save_model(const std::filesystem::path& path, const ModelBundle& bundle);
ModelBundle load_model(const std::filesystem::path& path);

}  // namespace fluidsplat::learn

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/normalization.h"
#include "model/schema.h"
#include "model/sensor_layout.h"

namespace fluidsplat::model {

// Everything a model file says about its model besides the weights (docs/model.md, "The model file").
struct Description {
  std::string kind;      // which Spec
  std::string settings;  // the Spec as JSON
  Schema schema;
  Normalization normalization;
  SensorLayout sensors;
  std::vector<Index> grid_shape;  // slowest axis first, when the training cases lay on one regular grid; else empty
};

// The JSON of the newest schema, and back from any schema that this version reads; Errors name `where` and the setting.
nlohmann::json to_json(const Description& description);
Description description_from_json(const nlohmann::json& json, int schema, const std::string& where);

constexpr int kOldestSchema = 1, kNewestSchema = 2;

}  // namespace fluidsplat::model

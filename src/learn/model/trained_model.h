// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "classical/pod_prior.h"
#include "learn/model/model.h"
#include "model/base_field.h"
#include "model/model_file.h"

namespace fluidsplat::learn {

// A model with all that is needed to use it; what one model file holds.
struct TrainedModel {
  model::Schema schema;
  model::Normalization normalization;
  model::SensorLayout sensors;
  std::vector<Index> grid_shape;
  std::shared_ptr<Model> model;
  std::shared_ptr<const model::BaseField> base;     // what the model's field is added to, or null
  classical::Prior prior = {};                      // what is added to that, if there is one
  std::map<std::string, model::Block> blocks = {};  // other parts of the model file, beside the model

  DataFacts facts() const { return {schema, normalization.domain, grid_shape}; }
};

// Written whole or not at all; non-finite weights are refused.
void save_model(const std::filesystem::path& path, const TrainedModel& trained);
// A model of any kind that the registry knows.
TrainedModel load_model(const std::filesystem::path& path);
TrainedModel load_model(const model::ModelFile& file);

}  // namespace fluidsplat::learn

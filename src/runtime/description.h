// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/fluidsplat_spec.h"
#include "model/model_file.h"

namespace fluidsplat::runtime {

using model::SensorLayout;

// A FluidSplat model's description with its settings read.
struct ModelDescription {
  model::FluidSplatSpec spec;
  model::Schema schema;
  model::Normalization normalization;
  SensorLayout sensors;
};

// Throws Error, naming the file and the setting, unless it describes a model that this runtime can run.
inline ModelDescription read_description(const model::ModelFile& file) {
  ModelDescription out;
  file.read(out.spec);
  out.schema = file.description().schema;
  out.normalization = file.description().normalization;
  out.sensors = file.description().sensors;
  return out;
}

}  // namespace fluidsplat::runtime

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "classical/pod_prior.h"
#include "kernels/packed_decoder.h"
#include "model/base_field.h"
#include "runtime/reconstructor.h"
#include "uncertainty/calibration.h"

namespace fluidsplat::runtime {

// The weights behind a Reconstructor, as its plans see them.
struct Reconstructor::Model {
  explicit Model(const model::ModelFile& file);
  ModelDescription description;
  Encoder encoder;
  std::vector<float> head_weight, head_bias;  // [K * head_columns][D], [K * head_columns]
  kernels::PackedDecoder decoder;
  std::shared_ptr<const model::BaseField> base;                 // what the model's field is added to, or null
  classical::Prior prior;                                       // what is added to that, if there is one
  std::shared_ptr<const uncertainty::Calibration> calibration;  // or null
  Index parameters = 0;

 private:
  Model(const model::ModelFile& file, model::ModelFile::Weights weights);
};

}  // namespace fluidsplat::runtime

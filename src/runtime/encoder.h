// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "kernels/dense.h"
#include "runtime/description.h"

namespace fluidsplat::runtime {

// Sensors to the context z (docs/model.md, "Encoder").  Constant after construction.
class Encoder {
 public:
  Encoder(const ModelDescription& description, model::ModelFile::Weights& weights);

 private:
  friend class EncoderPlan;
  kernels::DenseLayer fuse(Index layer) const;
  kernels::DenseNetwork token_, gain_, bias_, geometry_;
  std::vector<std::vector<float>> fuse_weights_, fuse_biases_;
};

// Wall points that describe a shape to models with geometry tokens; physical positions, features as in training.
struct GeometryPoints {
  const float* positions = nullptr;  // [count][d]
  const float* features = nullptr;   // [count][geometry_features]
  Index count = 0;
};

// An encoder made ready for one sensor layout: all that does not depend on readings is computed once. encode() does not
// allocate; one thread at a time.
class EncoderPlan {
 public:
  EncoderPlan(const ModelDescription& description, const Encoder& encoder, const SensorLayout& layout,
              const GeometryPoints& geometry);
  // readings [sensors][C] in physical units, NaN where a sensor says nothing; descriptors [M] normalised; z [D].
  void encode(const float* readings, const float* descriptors, float* z);
  Index tokens() const { return tokens_.size(); }

 private:
  struct Token {
    Index reading;  // index into readings
    Index channel;
    double mean;  // what the sensor says on average
  };
  void place_rows(const SensorLayout& layout, Index rows, float* panels) const;
  void pool_geometry(const GeometryPoints& geometry);
  void pool_tokens();
  void pool_linear();

  const ModelDescription& description_;
  const Encoder& encoder_;
  std::vector<Token> tokens_;
  std::vector<float> values_;  // per token, normalised; NaN when absent
  Index panels_ = 0;
  kernels::Buffer inputs_, results_, scratch_;  // panels of tokens
  kernels::Buffer gains_, biases_;              // linear encoder: panels [E]
  std::vector<float> fused_, hidden_;           // [fuse_inputs], [D]
};

}  // namespace fluidsplat::runtime

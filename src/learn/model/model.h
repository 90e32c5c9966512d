// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/sensor_placement.h"
#include "learn/model/observation.h"
#include "learn/model/tensors.h"
#include "model/spec.h"

namespace fluidsplat::learn {

// What a model may know of the data before it sees a case.
struct DataFacts {
  model::Schema schema;
  model::Box domain;
  std::vector<Index> grid_shape;  // slowest axis first, when all cases lie on one regular grid; empty otherwise
};
DataFacts facts_of(const field::Dataset& dataset);

// The cases that a model fitted in closed form is fitted to.
struct TrainingData {
  const field::Dataset& dataset;
  const std::vector<Index>& cases;
  const field::SensorPlacement& sensors;
  const model::Normalization& normalization;
};

// The sum of weights * (field - targets)^2, and that field without its gradient.
struct SquaredError {
  torch::Tensor sum, field;
};

// Sensors and conditioning in, fields out: FluidSplat and every baseline are Models, so one trainer, one evaluator, one
// file format and one table serve all.  Outputs are in normalised units, [B, Q, C].
class Model : public torch::nn::Module {
 public:
  virtual const model::Spec& spec() const = 0;
  virtual torch::Tensor reconstruct(const Observation& observation, const Queries& queries) = 0;
  // What a training step asks: the error summed over everything, and the field it was taken from.
  virtual SquaredError squared_error(const Observation& observation, const Queries& queries,
                                     const torch::Tensor& targets, const torch::Tensor& weights);

  // A model is trained by gradient, or fitted in closed form by one call.
  virtual bool is_fitted_in_closed_form() const { return false; }
  virtual void fit(const TrainingData& data);

  // Whether the observation must describe the wall (Observation::geometry_*).
  virtual bool looks_at_wall() const { return false; }
  // From now on the model may use kernels for floats on the CPU; results differ by rounding.
  virtual void use_fast_kernels() {}

  // All tensors that a model file keeps, sharing the model's memory, and the way back.  A model whose tensors take
  // their sizes from the data overrides load().
  virtual TensorMap tensors() const;
  virtual void load(const TensorMap& tensors, const std::string& where);
};

Index parameter_count(const Model& model);

}  // namespace fluidsplat::learn

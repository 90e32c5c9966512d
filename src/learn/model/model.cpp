// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/model.h"

#include "base/error.h"

namespace fluidsplat::learn {

DataFacts facts_of(const field::Dataset& dataset) {
  DataFacts facts{dataset.schema(), dataset.domain(), {}};
  if (dataset.mesh_count() == 1) facts.grid_shape = dataset.outline(0).grid_shape;
  return facts;
}

SquaredError Model::squared_error(const Observation& observation, const Queries& queries, const torch::Tensor& targets,
                                  const torch::Tensor& weights) {
  const auto field = reconstruct(observation, queries);
  return {((field - targets).square() * weights).sum(), field.detach()};
}

void Model::fit(const TrainingData&) {
  throw std::logic_error("a model of kind " + spec().kind() + " is trained by gradient, not fitted");
}

TensorMap Model::tensors() const {
  TensorMap out;
  for (const auto& item : named_parameters()) out[item.key()] = item.value();
  for (const auto& item : named_buffers()) out[item.key()] = item.value();
  return out;
}

void Model::load(const TensorMap& source, const std::string& where) {
  copy_into(tensors(), source, where);
}

Index parameter_count(const Model& model) {
  Index count = 0;
  for (const auto& [name, t] : model.tensors()) count += t.numel();
  return count;
}

}  // namespace fluidsplat::learn

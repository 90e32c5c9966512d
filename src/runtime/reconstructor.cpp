// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/reconstructor.h"

#include "base/error.h"
#include "runtime/model.h"

namespace fluidsplat::runtime {
namespace {

std::vector<float> copy(const float* values, Index count) {
  return {values, values + count};
}

// Every decoder tensor is checked before memory for the packed weights is asked for.
kernels::PackedDecoder read_decoder(const model::FluidSplatSpec& shape, model::ModelFile::Weights& weights) {
  const kernels::Parameters layout(shape);
  std::vector<const float*> found;
  for (const auto& t : layout.tensors())
    found.push_back(t.is_vector ? weights.vector(t.name, t.rows) : weights.matrix(t.name, t.rows, t.cols));
  std::vector<float> flat(layout.size());
  for (Index i = 0; i < std::ssize(found); ++i) {
    const auto& t = layout.tensors()[i];
    std::copy_n(found[i], t.size(), flat.data() + t.offset);
  }
  kernels::PackedDecoder decoder(shape, true);
  decoder.set(flat.data());
  return decoder;
}

}  // namespace

Reconstructor::Model::Model(const model::ModelFile& file) : Model(file, model::ModelFile::Weights(file)) {}

Reconstructor::Model::Model(const model::ModelFile& file, model::ModelFile::Weights weights)
    : description(read_description(file)),
      encoder(description, weights),
      decoder(read_decoder(description.spec, weights)),
      base(model::read_base_field(file)),
      prior(classical::read_prior(file, base.get())),
      correction(classical::read_kriging(file)),
      calibration(uncertainty::read_calibration(file)),
      parameters(file.parameters()) {
  const Index rows = description.spec.head_outputs(), cols = description.spec.context;
  head_weight = copy(weights.matrix("head.weight", rows, cols), rows * cols);
  head_bias = copy(weights.vector("head.bias", rows), rows);
  weights.finish();
  if (!calibration || !calibration->layer.is_on()) return;
  if (!description.spec.has_decoder() || calibration->layer.width() != description.spec.width)
    fail("{}: the calibration looks at a last hidden layer of {}, which the model does not have; the file is damaged",
         file.name(), calibration->layer.width());
}

Reconstructor Reconstructor::open(const std::filesystem::path& path) {
  return Reconstructor(std::make_shared<Model>(model::ModelFile::open(path)));
}

const ModelDescription& Reconstructor::description() const {
  return model_->description;
}

Index Reconstructor::parameters() const {
  return model_->parameters;
}

const model::BaseField* Reconstructor::base() const {
  return model_->base.get();
}

const classical::Prior& Reconstructor::prior() const {
  return model_->prior;
}

const classical::Kriging& Reconstructor::correction() const {
  return model_->correction;
}

const std::shared_ptr<const uncertainty::Calibration>& Reconstructor::calibration() const {
  return model_->calibration;
}

Plan Reconstructor::plan(const PlanOptions& options) const {
  return Plan(model_, options);
}

}  // namespace fluidsplat::runtime

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/reconstructor.h"

#include "runtime/model.h"

namespace fluidsplat::runtime {
namespace {

std::vector<float> copy(const float* values, Index count) {
  return {values, values + count};
}

// Every decoder tensor is checked before memory for the packed weights is asked for.
kernels::PackedDecoder read_decoder(const kernels::DecoderShape& shape, Weights& weights) {
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

Reconstructor::Model::Model(ModelDescription d, Weights& weights)
    : description(std::move(d)), encoder(description, weights), decoder(read_decoder(description.shape, weights)) {
  const Index rows = description.shape.primitives * description.shape.head_columns();
  head_weight = copy(weights.matrix("head.weight", rows, description.shape.context), rows * description.shape.context);
  head_bias = copy(weights.vector("head.bias", rows), rows);
  weights.finish();
}

Reconstructor Reconstructor::open(const std::filesystem::path& path) {
  const auto file = io::SafetensorsFile::open(path);
  auto description = parse_description(file.metadata(), path.string());
  Weights weights(file, path.string());
  auto model = std::make_shared<Model>(std::move(description), weights);
  for (const auto& name : file.names()) model->parameters += file.get(name).bytes.size() / sizeof(float);
  return Reconstructor(std::move(model));
}

const ModelDescription& Reconstructor::description() const {
  return model_->description;
}

Index Reconstructor::parameters() const {
  return model_->parameters;
}

Plan Reconstructor::plan(const PlanOptions& options) const {
  return Plan(model_, options);
}

}  // namespace fluidsplat::runtime

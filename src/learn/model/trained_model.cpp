// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/trained_model.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "learn/model/registry.h"

namespace fluidsplat::learn {

void save_model(const std::filesystem::path& path, const TrainedModel& t) {
  const auto& spec = t.model->spec();
  model::ModelContents contents;
  contents.description = {spec.kind(), spec.to_json().dump(), t.schema, t.normalization, t.sensors, t.grid_shape};
  for (const auto& [name, tensor] : t.model->tensors()) contents.tensors[name] = to_array(tensor.to(torch::kFloat32));
  contents.blocks = t.blocks;
  if (t.base) contents.blocks[model::BaseField::kBlock] = t.base->to_block();
  if (t.prior.pod) contents.blocks[classical::Prior::kBlock] = t.prior.to_block();
  model::write_model_file(path, contents);
}

TrainedModel load_model(const std::filesystem::path& path) {
  return load_model(model::ModelFile::open(path));
}

TrainedModel load_model(const model::ModelFile& file) {
  const auto& d = file.description();
  const auto& registry = ModelRegistry::instance();
  const auto spec = registry.make_spec(d.kind);
  file.read(*spec);
  TrainedModel out{d.schema, d.normalization, d.sensors, d.grid_shape, nullptr, model::read_base_field(file)};
  out.prior = classical::read_prior(file, out.base.get());
  for (const auto& name : file.block_names())
    if (name != model::BaseField::kBlock && name != classical::Prior::kBlock)
      out.blocks[name] = file.block(name, std::numeric_limits<int>::max());
  out.model = registry.make_model(*spec, out.facts());
  TensorMap tensors;
  for (const auto& name : file.tensor_names()) tensors[name] = to_tensor(file.tensor(name));
  out.model->load(tensors, file.name());
  out.model->eval();
  return out;
}

}  // namespace fluidsplat::learn

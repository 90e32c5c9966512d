// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/open_model.h"

#include "learn/model/torch_field_model.h"
#include "model/fluidsplat_spec.h"
#include "reconstruct/runtime_model.h"

namespace fluidsplat::learn {

std::unique_ptr<reconstruct::FieldModel> open_field_model(const std::filesystem::path& file, int threads) {
  const auto opened = model::ModelFile::open(file);
  if (opened.description().kind == model::FluidSplatSpec::kKind)
    return std::make_unique<reconstruct::RuntimeModel>(file, threads);
  torch::set_num_threads(threads);
  return std::make_unique<TorchFieldModel>(load_model(opened));
}

}  // namespace fluidsplat::learn

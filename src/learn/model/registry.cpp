// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/registry.h"

#include "base/error.h"
#include "learn/fluidsplat/fluidsplat.h"

namespace fluidsplat::learn {

ModelRegistry::ModelRegistry() {
  add(model::FluidSplatSpec::kKind, model_kind<model::FluidSplatSpec, FluidSplat>());
}

ModelRegistry& ModelRegistry::instance() {
  static ModelRegistry registry;
  return registry;
}

std::vector<std::string> ModelRegistry::names() const {
  std::vector<std::string> out;
  for (const auto& [name, kind] : kinds_) out.push_back(name);
  return out;
}

const ModelRegistry::Kind& ModelRegistry::find(const std::string& name) const {
  const auto it = kinds_.find(name);
  if (it != kinds_.end()) return it->second;
  const auto near = nearest_name(name, names());
  fail("model.kind = \"{}\" is not known; {}", name,
       near.empty() ? fmt::format("choose one of: {}", fmt::join(names(), ", "))
                    : fmt::format("did you mean \"{}\"?", near));
}

std::unique_ptr<model::Spec> ModelRegistry::make_spec(const std::string& kind) const {
  return find(kind).make_spec();
}

std::shared_ptr<Model> ModelRegistry::make_model(const model::Spec& spec, const DataFacts& facts) const {
  spec.check();
  return find(spec.kind()).make_model(spec, facts);
}

}  // namespace fluidsplat::learn

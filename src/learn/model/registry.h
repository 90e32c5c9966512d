// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "learn/model/model.h"

namespace fluidsplat::learn {

// The kinds of models by the name that configs (model.kind) and model files use.  FluidSplat is always there; others
// are added once at the start of a program, before anything is read.
class ModelRegistry {
 public:
  struct Kind {
    std::function<std::unique_ptr<model::Spec>()> make_spec;
    std::function<std::shared_ptr<Model>(const model::Spec& spec, const DataFacts& facts)> make_model;
  };

  static ModelRegistry& instance();
  // Replaces a kind of the same name.
  void add(const std::string& name, Kind kind) { kinds_[name] = std::move(kind); }

  std::vector<std::string> names() const;
  // Throw Error, naming the nearest known kind, for an unknown one.
  std::unique_ptr<model::Spec> make_spec(const std::string& kind) const;
  std::shared_ptr<Model> make_model(const model::Spec& spec, const DataFacts& facts) const;

 private:
  ModelRegistry();
  const Kind& find(const std::string& name) const;
  std::map<std::string, Kind> kinds_;
};

// What a Kind holds for a Spec type S and a Model type M that is made from (const S&, const DataFacts&).
template <class S, class M>
ModelRegistry::Kind model_kind() {
  return {[] { return std::make_unique<S>(); },
          [](const model::Spec& spec, const DataFacts& facts) {
            return std::make_shared<M>(dynamic_cast<const S&>(spec), facts);
          }};
}

}  // namespace fluidsplat::learn

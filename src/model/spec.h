// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/config.h"
#include "base/index.h"
#include "model/schema.h"

namespace fluidsplat::model {

// Everything that decides the shapes and the arithmetic of a model of some kind.  A kind derives from this and binds
// its settings once: config files, overrides, `--show`, the model file and the checks all follow from bind().
class Spec {
 public:
  virtual ~Spec() = default;
  // The name that configs and model files use.
  virtual std::string kind() const = 0;
  virtual std::unique_ptr<Spec> clone() const = 0;
  // Registers the settings of this kind, as model.*.
  virtual void bind(Config& config) = 0;
  // Throws Error for combinations that make no sense.
  virtual void check() const;
  // The model in words, a line each for its parts; every setting with its value unless a kind knows better.
  virtual std::string describe() const;

  // Sizes that come from the data, not from a user.
  Index dim = 2, channels = 1, features = 0, descriptors = 0, geometry_features = 0;
  // Takes these sizes from what the data are.
  virtual void fit_to(const Schema& schema);

  // All of the above as the model file keeps it, and back.  Reading bounds every size before anything is allocated from
  // it; an Error names `where` and the setting.
  nlohmann::json to_json() const;
  void read_json(const nlohmann::json& json, const std::string& where);

 protected:
  Spec() = default;
  Spec(const Spec&) = default;
  Spec& operator=(const Spec&) = default;

 private:
  void bind_all(Config& config);
};

}  // namespace fluidsplat::model

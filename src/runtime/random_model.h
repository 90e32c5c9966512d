// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: model files with random weights.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "base/index.h"
#include "io/array.h"

namespace fluidsplat::runtime {

// A model file's parts, to be changed before writing.
struct RandomModel {
  // The smallest complete config; the function may change its "model" entry before weights are drawn.
  explicit RandomModel(const std::function<void(nlohmann::json& model)>& change = {}, std::uint64_t seed = 1);
  // Gives it a base field of random values at random points of the domain.
  void add_base_field(Index points);
  // Gives it a prior on top of its base field: random modes, and random readings and coefficients of training cases.
  void add_prior(Index modes, Index cases);
  // Gives it a correction at its sensors.
  void add_correction(double length, double contrast, double noise);
  void write(const std::filesystem::path& path) const;

  nlohmann::json config;
  std::map<std::string, std::string> metadata;  // without "config", which write() adds
  std::map<std::string, io::Array> tensors;
  const float* tensor(const std::string& name) const;
};

}  // namespace fluidsplat::runtime

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/split.h"
#include "learn/model/trained_model.h"
#include "learn/train/checkpoint.h"

namespace fluidsplat::learn {

// Where a run leaves what it makes:
//
//   config.toml, split.json      what was asked, frozen
//   log.csv                      one row per validation
//   checkpoint.safetensors       to continue from
//   model.safetensors            the best model so far, by validation
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path file(const char* name) const { return path_ / name; }
  std::filesystem::path model() const { return file("model.safetensors"); }
  std::filesystem::path checkpoint() const { return file("checkpoint.safetensors"); }

  void write_setup(const std::string& config, const field::Split& split, const field::Dataset& dataset) const;
  void write_log(const std::vector<LogRow>& log) const;

 private:
  std::filesystem::path path_;
};

}  // namespace fluidsplat::learn

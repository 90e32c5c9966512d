// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

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
//   classical.json               what the best method without training errs by
//   metrics.json, cases.csv      how it did in the end; eval-*, report: what was asked of it later
//
// These always belong to one run and to one model.
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const char* name) const { return path_ / name; }
  std::filesystem::path model() const { return file("model.safetensors"); }
  std::filesystem::path checkpoint() const { return file("checkpoint.safetensors"); }

  // Whether there is something that a new run would replace.
  bool holds_run() const;
  // Throws Error, naming a folder that is free, when there is.
  void refuse_to_replace() const;
  // Removes what an earlier run has left.  Other files in the folder stay.
  void remove_run() const;

  void write_setup(const std::string& config, const field::Split& split, const field::Dataset& dataset) const;
  void write_log(const std::vector<LogRow>& log) const;
  // What judges an earlier model goes first.
  void write_model(const TrainedModel& trained) const;

 private:
  void remove_judgement() const;

  std::filesystem::path path_;
};

// `wanted`, or the first of wanted-2, wanted-3 ... for which `taken` is false.
std::filesystem::path first_free(const std::filesystem::path& wanted,
                                 const std::function<bool(const std::filesystem::path&)>& taken);

}  // namespace fluidsplat::learn

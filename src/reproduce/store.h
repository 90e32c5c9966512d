// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "reproduce/manifest.h"
#include "reproduce/outcome.h"

namespace fluidsplat::reproduce {

// A run that is done.
struct Finished {
  Manifest manifest;
  Outcome outcome;
};

// The small files of finished runs, a folder each, which can be kept with the documents:
//
//   runs/cylinder/surface-8-paper-s123-1f3a5c70/  config.toml  metrics.json  manifest.json
//
// The digits tell runs apart that differ in settings, data or version, so that none replaces another.
class Store {
 public:
  explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The run with these settings on these data by this version, judged by so many cases at most (0: all); nothing when
  // there is none. A setting that the kept run does not know yet counts as its default.
  std::optional<Finished> find(const Run& run, const std::string& data_hash, Index cases) const;
  // All there are, whatever their settings, in the order of their folders' names.
  std::vector<Finished> all() const;
  // The manifest comes last: a folder without one is no finished run.
  void put(const Finished& finished) const;

  std::filesystem::path runs() const { return folder_ / "runs"; }

 private:
  std::filesystem::path folder_;
};

// "cylinder/surface-8-paper-s123-1f3a5c70"
std::filesystem::path run_folder(const Run& run, const std::string& data_hash);

// One run's folder; nothing when it has no manifest yet.
std::optional<Finished> read_finished(const std::filesystem::path& folder);

}  // namespace fluidsplat::reproduce

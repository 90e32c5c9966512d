// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/run_hooks.h"
#include "field/dataset_file.h"

namespace fluidsplat::reproduce {

// A benchmark's data, open.
struct BenchmarkData {
  std::filesystem::path file;
  std::string title;  // for people: embedded, or whose files
  std::string hash;   // of the file
  std::unique_ptr<field::DatasetFile> dataset;
};

// The folder with cylinder.h5, airfrans.h5 ...; what is missing is made, by the embedded solvers or of published files.
class DataFolder {
 public:
  // `sources`: where published files of a benchmark are, by its name.
  DataFolder(std::filesystem::path folder, std::map<std::string, std::string> sources);
  // Null when it was interrupted while it made the data.
  const BenchmarkData* open(const std::string& benchmark, const RunHooks& hooks);

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> sources_;
  std::map<std::string, BenchmarkData> open_;
};

}  // namespace fluidsplat::reproduce

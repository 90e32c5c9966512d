// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/array.h"

namespace fluidsplat::io {

// The arrays of numbers in a MATLAB file of level 5 (save -v6, -v7); what else it holds (structures, cells, texts,
// sparse arrays) is passed over.  Values are in C order: the last index of the shape turns fastest, as everywhere here,
// though MATLAB stores the first that way.
class Mat5File {
 public:
  // Reads the whole file, since its parts are packed as a whole.  Damaged files are Errors.
  static Mat5File read(const std::filesystem::path& path);
  static Mat5File parse(std::string_view text, const std::string& name);
  // True for a file that begins like one.
  static bool is_one(const std::filesystem::path& path);

  const std::map<std::string, Array>& arrays() const { return arrays_; }
  // Names of what was passed over.
  const std::vector<std::string>& others() const { return others_; }

 private:
  std::map<std::string, Array> arrays_;
  std::vector<std::string> others_;
};

// Between MATLAB's order of elements (the first index turns fastest) and C's.
Array transposed(const Array& column_major);

}  // namespace fluidsplat::io

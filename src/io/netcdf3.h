// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/index.h"
#include "io/array.h"
#include "io/input_file.h"

namespace fluidsplat::io {

// A NetCDF file of the classic formats (CDF-1, CDF-2 with 64-bit offsets, CDF-5 with 64-bit sizes).  Its header is read
// and checked against the size of the file when it is opened; values are read when they are asked for.  Damaged files
// are Errors.
class NetCdf3File {
 public:
  struct Attribute {
    std::string text;             // of characters
    std::vector<double> numbers;  // of any other type
  };
  struct Variable {
    std::string name;
    std::vector<Index> axes;  // which dimension of the file each is
    std::vector<Index> shape;
    std::map<std::string, Attribute> attributes;
    DType dtype = DType::f32;
    bool is_text = false;
    // Where it is: rows along the first axis, `stride` bytes from one to the next.
    std::uint64_t begin = 0, stride = 0;
    bool is_record = false;  // its first axis is the one that grows
  };

  explicit NetCdf3File(const std::filesystem::path& path);
  // True for a file that begins like one.
  static bool is_one(const std::filesystem::path& path);

  const std::vector<std::string>& dimensions() const { return dimensions_; }
  const std::vector<Variable>& variables() const { return variables_; }
  // nullptr when there is none of this name.
  const Variable* find(const std::string& name) const;
  Array read(const Variable& variable) const;
  // Part of a variable that has at least one axis.
  Array read_rows(const Variable& variable, Index first, Index count) const;

 private:
  void place_variables(Index records, bool records_known);

  InputFile file_;
  std::vector<std::string> dimensions_;
  std::vector<Variable> variables_;
};

}  // namespace fluidsplat::io

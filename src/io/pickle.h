// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/array.h"
#include "io/mapped_file.h"
#include "io/pickle_machine.h"

namespace fluidsplat::io {

// One NumPy array in a Python pickle (protocols 2 to 5).  A pickle is a program; only the few instructions and names
// that rebuild an array are carried out, and an Error names whatever else the file asks for. The file is mapped, so
// only the rows that are read take memory.  (Protocol 2 from Python 3 writes bytes as text; that is decoded whole.)
class PickleReader {
 public:
  explicit PickleReader(const std::filesystem::path& path);

  const std::vector<std::int64_t>& shape() const { return array_.header.shape; }
  DType dtype() const { return array_.header.dtype; }
  // Rows along the first axis, in C order.
  Array read_rows(std::int64_t first, std::int64_t count) const;
  Array read_all() const;

 private:
  std::string path_;
  MappedFile file_;
  PickledArray array_;
};

Array read_pickle(const std::filesystem::path& path);

}  // namespace fluidsplat::io

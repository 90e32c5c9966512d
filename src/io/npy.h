// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/atomic_file.h"
#include "io/array.h"
#include "io/input_file.h"
#include "io/npy_format.h"

namespace fluidsplat::io {

// NumPy's array files: versions 1 to 3, either byte order, either axis order, booleans, integers and floats (half
// precision is widened to f32).  Object arrays would run code and are refused.
Array read_npy(const std::filesystem::path& path);
void write_npy(const std::filesystem::path& path, const Array& array);

// Writes an array row by row along its first axis, so that it never has to be in memory whole.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, DType dtype, std::vector<std::int64_t> shape);
  // The next row's bytes; a row of another size is an Error.
  void add_row(std::span<const std::byte> row);
  // Puts the finished file in place; fewer rows than announced are an Error.
  void commit();

 private:
  std::string name_;
  std::vector<std::int64_t> shape_;
  std::size_t row_bytes_;
  std::int64_t rows_ = 0;
  AtomicFile file_;
};

// Reads parts of files larger than memory.
class NpyReader {
 public:
  explicit NpyReader(const std::filesystem::path& path);

  const std::vector<std::int64_t>& shape() const { return header_.shape; }
  DType dtype() const { return header_.dtype; }
  // Rows along the first axis, in C order.
  Array read_rows(std::int64_t first, std::int64_t count) const;
  Array read_all() const;

 private:
  InputFile file_;
  NpyHeader header_;
};

}  // namespace fluidsplat::io

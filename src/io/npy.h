// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/array.h"
#include "io/input_file.h"
#include "io/npy_format.h"

namespace fluidsplat::io {

// NumPy's array files: versions 1 to 3, either byte order, either axis order, booleans, integers and floats
// (half precision is widened to f32).  Object arrays would run code and are refused.
Array read_npy(const std::filesystem::path& path);
void write_npy(const std::filesystem::path& path, const Array& array);

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

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/array.h"
#include "io/npy_format.h"
#include "io/zip.h"

namespace fluidsplat::io {

// Rows of one array of an .npz archive, without holding the array in memory.  Rows in increasing order cost one pass;
// going back in a compressed member unpacks it again from its start.
class NpzRows {
 public:
  NpzRows(const ZipFile& zip, const std::string& name);

  const std::vector<std::int64_t>& shape() const { return header_.shape; }
  DType dtype() const { return header_.dtype; }
  Array read_rows(std::int64_t first, std::int64_t count);

 private:
  ZipFile zip_;
  std::string name_;
  ZipStream stream_;
  NpyHeader header_;
};

// NumPy's archives of named arrays, as np.savez and np.savez_compressed write them.
class NpzFile {
 public:
  static NpzFile open(const std::filesystem::path& path);

  std::vector<std::string> names() const;
  bool contains(const std::string& name) const;
  Array read(const std::string& name) const;
  NpzRows rows(const std::string& name) const;

 private:
  explicit NpzFile(const std::filesystem::path& path) : zip_(path) {}

  ZipFile zip_;
};

enum class NpzCompression { stored, deflate };
void write_npz(const std::filesystem::path& path, const std::map<std::string, Array>& arrays,
               NpzCompression compression = NpzCompression::stored);
// An archive whose one array is the contents of an .npy file, which may be larger than memory.
void archive_npy(const std::filesystem::path& path, const std::string& name, const std::filesystem::path& npy);

}  // namespace fluidsplat::io

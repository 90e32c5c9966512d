// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/atomic_file.h"

namespace fluidsplat::io {

// A new zip archive that appears only with commit().  The same members give the same bytes: no dates are stored.
class ZipWriter {
 public:
  // Members of 4 GB and more need zip64 records; always_wide writes them for small ones too.
  explicit ZipWriter(const std::filesystem::path& path, bool always_wide = false);

  // The member's contents are the parts, one after the other.
  void add(const std::string& name, const std::vector<std::span<const std::byte>>& parts, bool deflate);
  void commit();

 private:
  void write(const std::string& bytes);

  std::string path_;
  AtomicFile file_;
  bool always_wide_;
  std::uint64_t position_ = 0;
  std::uint64_t entries_ = 0;
  std::string directory_;
  std::set<std::string> names_;
};

}  // namespace fluidsplat::io

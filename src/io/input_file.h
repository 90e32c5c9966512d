// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace fluidsplat::io {

// A regular file open for reading at any offset.  Reads do not share a position, so any number of threads may read at
// once.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  int descriptor() const { return fd_; }
  // Fills `out`; an Error names the file when it ends before that.
  void read_at(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::string name_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace fluidsplat::io

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace fluidsplat {

// A file that appears whole or not at all: bytes go to a temporary neighbour, and commit() makes them durable (fsync)
// and renames it over the target.  Destroyed without commit(), it leaves no trace.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  // For libraries that open files by name (HDF5, VTK): write here, then commit().
  const std::filesystem::path& temporary() const { return temporary_; }
  void commit();

 private:
  std::filesystem::path target_, temporary_;
  int fd_ = -1;
  bool committed_ = false;
};

void write_file(const std::filesystem::path& target, std::string_view contents);
// Reads a whole file; an Error names the file when it is missing, unreadable or larger than max_bytes.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes = std::size_t{1} << 34);

}  // namespace fluidsplat

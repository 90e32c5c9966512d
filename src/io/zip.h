// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/input_file.h"

namespace fluidsplat::io {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t stored_bytes = 0;  // inside the archive
  std::uint64_t bytes = 0;         // unpacked
  std::uint64_t data_offset = 0;
};

// The table of contents of a zip archive of any size (zip64).  Nothing in it is trusted: members must lie inside the
// file without overlapping, and may not claim more bytes than their packed form can hold.
class ZipFile {
 public:
  explicit ZipFile(const std::filesystem::path& path);

  const std::string& path() const { return file_->name(); }
  const std::map<std::string, ZipMember>& members() const { return members_; }
  // An Error names the file and the member when there is none of this name.
  const ZipMember& member(const std::string& name) const;

 private:
  friend class ZipStream;
  std::shared_ptr<const InputFile> file_;
  std::map<std::string, ZipMember> members_;
};

// Unpacks one member from its start to its end with constant memory.  The checksum is verified when the last byte is
// read, unless bytes of a stored member were skipped.
class ZipStream {
 public:
  ZipStream(const ZipFile& zip, const std::string& name);
  ~ZipStream();
  ZipStream(ZipStream&&) noexcept;
  ZipStream& operator=(ZipStream&&) noexcept;

  std::uint64_t position() const;
  std::uint64_t size() const;
  // Fills `out` with the next bytes; an Error names file and member when they are damaged or too few.
  void read(std::span<std::byte> out);
  void skip(std::uint64_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fluidsplat::io

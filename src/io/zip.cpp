// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/zip.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "io/little_endian.h"

namespace fluidsplat::io {
namespace {

// Field positions are those of PKWARE's APPNOTE, section 4.3.
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::size_t kCentralHeaderSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kEnd64LocatorSize = 20;
constexpr std::uint64_t kMaxDirectory = std::uint64_t{1} << 28;
// Deflate's best case is 258 bytes from 2 bits.
constexpr std::uint64_t kMaxRatio = 1032;

struct Directory {
  std::uint64_t offset, size, entries;
};

class DirectoryReader {
 public:
  explicit DirectoryReader(const InputFile& file) : file_(file) {}

  std::map<std::string, ZipMember> read() {
    const Directory directory = find_directory();
    const auto bytes = read_bytes(directory.offset, directory.size);
    std::map<std::string, ZipMember> members;
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
      ZipMember member = read_entry(bytes, at);
      locate_data(member, directory.offset);
      const std::string name = member.name;
      if (!members.emplace(name, std::move(member)).second) refuse(fmt::format("names '{}' twice", name));
    }
    check_overlaps();
    return members;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    fail("{}: damaged or unsupported zip archive: {}", file_.name(), why);
  }

  std::vector<std::byte> read_bytes(std::uint64_t offset, std::uint64_t size) const {
    if (size > kMaxDirectory || offset > file_.size() || size > file_.size() - offset)
      refuse("its directory lies outside the file; was the file cut short?");
    std::vector<std::byte> bytes(size);
    file_.read_at(offset, bytes);
    return bytes;
  }

  Directory find_directory() const {
    if (file_.size() < kEndSize) refuse("too short");
    // The end record is last, followed only by a comment whose length it states.
    const std::uint64_t tail = std::min<std::uint64_t>(file_.size(), kEndSize + 0xffff);
    const auto bytes = read_bytes(file_.size() - tail, tail);
    for (std::size_t at = tail - kEndSize + 1; at-- > 0;) {
      const std::byte* record = &bytes[at];
      if (load_le<std::uint32_t>(record) != kEnd) continue;
      if (at + kEndSize + load_le<std::uint16_t>(record + 20) != tail) continue;
      const Directory directory{load_le<std::uint32_t>(record + 16), load_le<std::uint32_t>(record + 12),
                                load_le<std::uint16_t>(record + 10)};
      const std::uint64_t end = file_.size() - tail + at;
      const auto wide = find_wide_directory(end);
      const Directory found = wide.value_or(directory);
      if (found.offset > end || found.size > end - found.offset) refuse("its directory lies outside the file");
      return found;
    }
    refuse("no directory at its end; was the file cut short?");
  }

  // The zip64 records stand directly before the end record, if there are any.
  std::optional<Directory> find_wide_directory(std::uint64_t end) const {
    if (end < kEnd64LocatorSize) return {};
    const auto locator = read_bytes(end - kEnd64LocatorSize, kEnd64LocatorSize);
    if (load_le<std::uint32_t>(locator.data()) != kEnd64Locator) return {};
    const auto record = read_bytes(load_le<std::uint64_t>(&locator[8]), kEnd64Size);
    if (load_le<std::uint32_t>(record.data()) != kEnd64) refuse("its zip64 record is missing");
    return Directory{load_le<std::uint64_t>(&record[48]), load_le<std::uint64_t>(&record[40]),
                     load_le<std::uint64_t>(&record[32])};
  }

  ZipMember read_entry(std::span<const std::byte> bytes, std::size_t& at) {
    if (bytes.size() - at < kCentralHeaderSize || load_le<std::uint32_t>(&bytes[at]) != kCentralHeader)
      refuse("its directory ends early");
    const std::byte* entry = &bytes[at];
    const std::size_t name = load_le<std::uint16_t>(entry + 28), extra = load_le<std::uint16_t>(entry + 30),
                      comment = load_le<std::uint16_t>(entry + 32);
    if (bytes.size() - at - kCentralHeaderSize < name + extra + comment) refuse("its directory ends early");
    ZipMember member;
    member.name.assign(reinterpret_cast<const char*>(entry + kCentralHeaderSize), name);
    if (load_le<std::uint16_t>(entry + 8) & 1) refuse(fmt::format("'{}' is encrypted", member.name));
    const auto method = load_le<std::uint16_t>(entry + 10);
    if (method != 0 && method != 8)
      refuse(fmt::format("'{}' uses compression method {}; use stored or deflate", member.name, method));
    member.deflated = method == 8;
    member.crc = load_le<std::uint32_t>(entry + 16);
    member.stored_bytes = load_le<std::uint32_t>(entry + 20);
    member.bytes = load_le<std::uint32_t>(entry + 24);
    header_offset_ = load_le<std::uint32_t>(entry + 42);
    read_wide_sizes(bytes.subspan(at + kCentralHeaderSize + name, extra), member);
    at += kCentralHeaderSize + name + extra + comment;

    const bool possible =
        member.deflated ? member.bytes / kMaxRatio <= member.stored_bytes : member.bytes == member.stored_bytes;
    if (!possible) refuse(fmt::format("'{}' claims {} bytes from {}", member.name, member.bytes, member.stored_bytes));
    return member;
  }

  // Extra field 1 holds, in this order, those of the sizes and the offset that did not fit in 32 bits.
  void read_wide_sizes(std::span<const std::byte> extra, ZipMember& member) {
    while (extra.size() >= 4) {
      const auto id = load_le<std::uint16_t>(extra.data());
      const std::size_t size = load_le<std::uint16_t>(&extra[2]);
      if (size > extra.size() - 4) refuse(fmt::format("'{}' has a bad extra field", member.name));
      auto body = extra.subspan(4, size);
      extra = extra.subspan(4 + size);
      if (id != 1) continue;
      for (std::uint64_t* value : {&member.bytes, &member.stored_bytes, &header_offset_}) {
        if (*value != std::numeric_limits<std::uint32_t>::max()) continue;
        if (body.size() < 8) refuse(fmt::format("'{}' has a bad zip64 field", member.name));
        *value = load_le<std::uint64_t>(body.data());
        body = body.subspan(8);
      }
    }
  }

  void locate_data(ZipMember& member, std::uint64_t limit) {
    const auto inside = [&](std::uint64_t offset, std::uint64_t size) {
      return offset <= limit && size <= limit - offset;
    };
    if (!inside(header_offset_, kLocalHeaderSize)) refuse(fmt::format("'{}' lies outside the file", member.name));
    const auto header = read_bytes(header_offset_, kLocalHeaderSize);
    if (load_le<std::uint32_t>(header.data()) != kLocalHeader)
      refuse(fmt::format("'{}' is not where the directory says", member.name));
    member.data_offset =
        header_offset_ + kLocalHeaderSize + load_le<std::uint16_t>(&header[26]) + load_le<std::uint16_t>(&header[28]);
    if (!inside(member.data_offset, member.stored_bytes))
      refuse(fmt::format("'{}' lies outside the file", member.name));
    ranges_.emplace_back(header_offset_, member.data_offset + member.stored_bytes);
  }

  void check_overlaps() {
    std::sort(ranges_.begin(), ranges_.end());
    for (std::size_t i = 1; i < ranges_.size(); ++i)
      if (ranges_[i].first < ranges_[i - 1].second) refuse("two members overlap");
  }

  const InputFile& file_;
  std::uint64_t header_offset_ = 0;  // of the entry being read
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

}  // namespace

ZipFile::ZipFile(const std::filesystem::path& path)
    : file_(std::make_shared<InputFile>(path)), members_(DirectoryReader(*file_).read()) {}

const ZipMember& ZipFile::member(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) fail("{}: holds no '{}'", path(), name);
  return found->second;
}

}  // namespace fluidsplat::io

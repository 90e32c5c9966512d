// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/zip_writer.h"

#include <zlib.h>

#include <algorithm>

#include "base/error.h"
#include "io/little_endian.h"

namespace fluidsplat::io {
namespace {

using Parts = std::vector<std::span<const std::byte>>;

constexpr std::uint64_t kMax32 = 0xffffffff;
constexpr std::size_t kPiece = std::size_t{1} << 30;

std::uint32_t checksum(const Parts& parts) {
  uLong crc = 0;
  for (auto part : parts)
    for (; !part.empty(); part = part.subspan(std::min(part.size(), kPiece)))
      crc = ::crc32(crc, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(std::min(part.size(), kPiece)));
  return static_cast<std::uint32_t>(crc);
}

class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      fail("zip: not enough memory to compress");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  std::string run(const Parts& parts) {
    for (auto part : parts)
      for (; !part.empty(); part = part.subspan(std::min(part.size(), kPiece)))
        feed(part.first(std::min(part.size(), kPiece)), Z_NO_FLUSH);
    feed({}, Z_FINISH);
    return std::move(packed_);
  }

 private:
  void feed(std::span<const std::byte> bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    char buffer[1 << 16];
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer);
      stream_.avail_out = sizeof buffer;
      ::deflate(&stream_, flush);
      packed_.append(buffer, sizeof buffer - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::string packed_;
};

// What local header and directory entry have in common, from "version needed" to "extra length".
std::string common_fields(const std::string& name, bool deflate, std::uint32_t crc, std::uint64_t stored,
                          std::uint64_t size, bool wide, std::size_t extra) {
  constexpr std::uint16_t kUtf8Names = 0x0800;
  constexpr std::uint16_t kFirstOfJanuary1980 = 0x0021;
  std::string out;
  append_le<std::uint16_t>(out, wide ? 45 : 20);
  append_le<std::uint16_t>(out, kUtf8Names);
  append_le<std::uint16_t>(out, deflate ? 8 : 0);
  append_le<std::uint16_t>(out, 0);
  append_le<std::uint16_t>(out, kFirstOfJanuary1980);
  append_le<std::uint32_t>(out, crc);
  append_le<std::uint32_t>(out, static_cast<std::uint32_t>(wide ? kMax32 : stored));
  append_le<std::uint32_t>(out, static_cast<std::uint32_t>(wide ? kMax32 : size));
  append_le<std::uint16_t>(out, static_cast<std::uint16_t>(name.size()));
  append_le<std::uint16_t>(out, static_cast<std::uint16_t>(extra));
  return out;
}

std::string wide_field(std::initializer_list<std::uint64_t> values) {
  std::string out;
  append_le<std::uint16_t>(out, 1);
  append_le<std::uint16_t>(out, static_cast<std::uint16_t>(8 * values.size()));
  for (const std::uint64_t value : values) append_le(out, value);
  return out;
}

}  // namespace

ZipWriter::ZipWriter(const std::filesystem::path& path, bool always_wide)
    : path_(path.string()), file_(path), always_wide_(always_wide) {}

void ZipWriter::write(const std::string& bytes) {
  file_.write(bytes);
  position_ += bytes.size();
}

void ZipWriter::add(const std::string& name, const Parts& parts, bool deflate) {
  if (name.empty() || name.size() > 0xffff) fail("{}: '{}' cannot name a member", path_, name);
  if (!names_.insert(name).second) fail("{}: the name '{}' is already taken", path_, name);
  std::uint64_t size = 0;
  for (const auto& part : parts) size += part.size();
  const std::string packed = deflate ? Deflater().run(parts) : std::string();
  const std::uint64_t stored = deflate ? packed.size() : size;
  const std::uint32_t crc = checksum(parts);
  const std::uint64_t offset = position_;
  const bool wide = always_wide_ || size >= kMax32 || stored >= kMax32 || offset >= kMax32;

  const std::string local_extra = wide ? wide_field({size, stored}) : "";
  std::string header = "PK\x03\x04";
  header += common_fields(name, deflate, crc, stored, size, wide, local_extra.size());
  write(header + name + local_extra);
  if (deflate) {
    write(packed);
  } else {
    for (const auto& part : parts) file_.write(part);
    position_ += size;
  }

  const std::string extra = wide ? wide_field({size, stored, offset}) : "";
  constexpr std::uint16_t kMadeOnUnix = 3 << 8 | 45;
  constexpr std::uint32_t kRegularFile0644 = 0100644u << 16;
  directory_ += "PK\x01\x02";
  append_le(directory_, kMadeOnUnix);
  directory_ += common_fields(name, deflate, crc, stored, size, wide, extra.size());
  append_le<std::uint16_t>(directory_, 0);  // comment length
  append_le<std::uint16_t>(directory_, 0);  // disk
  append_le<std::uint16_t>(directory_, 0);  // internal attributes
  append_le(directory_, kRegularFile0644);
  append_le<std::uint32_t>(directory_, static_cast<std::uint32_t>(wide ? kMax32 : offset));
  directory_ += name + extra;
  ++entries_;
}

void ZipWriter::commit() {
  const std::uint64_t offset = position_, size = directory_.size();
  const bool wide = always_wide_ || offset >= kMax32 || size >= kMax32 || entries_ >= 0xffff;
  write(directory_);
  std::string end;
  if (wide) {
    const std::uint64_t record = position_;
    end += "PK\x06\x06";
    append_le<std::uint64_t>(end, 44);  // bytes of this record that follow
    append_le<std::uint16_t>(end, 45);
    append_le<std::uint16_t>(end, 45);
    append_le<std::uint32_t>(end, 0);
    append_le<std::uint32_t>(end, 0);
    for (const std::uint64_t value : {entries_, entries_, size, offset}) append_le(end, value);
    end += "PK\x06\x07";
    append_le<std::uint32_t>(end, 0);
    append_le(end, record);
    append_le<std::uint32_t>(end, 1);
  }
  const auto entries = static_cast<std::uint16_t>(wide ? 0xffff : entries_);
  end += "PK\x05\x06";
  append_le<std::uint32_t>(end, 0);
  append_le(end, entries);
  append_le(end, entries);
  append_le<std::uint32_t>(end, static_cast<std::uint32_t>(wide ? kMax32 : size));
  append_le<std::uint32_t>(end, static_cast<std::uint32_t>(wide ? kMax32 : offset));
  append_le<std::uint16_t>(end, 0);
  write(end);
  file_.commit();
}

}  // namespace fluidsplat::io

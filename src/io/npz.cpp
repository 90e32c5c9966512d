// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/npz.h"

#include "base/error.h"
#include "io/mapped_file.h"
#include "io/zip_writer.h"

namespace fluidsplat::io {
namespace {

const std::string kSuffix = ".npy";

std::string label(const ZipFile& zip, const std::string& name) {
  return zip.path() + "[" + name + "]";
}

// The header, checked against the member's size so that nothing larger is ever allocated.
NpyHeader open_member(ZipStream& stream, const std::string& source) {
  const NpyHeader header = read_npy_header([&](std::span<std::byte> out) { stream.read(out); }, source);
  if (header.data_bytes() != stream.size() - stream.position())
    fail("{}: holds {} bytes of data, its header announces {}; the file is damaged", source,
         stream.size() - stream.position(), header.data_bytes());
  return header;
}

}  // namespace

NpzRows::NpzRows(const ZipFile& zip, const std::string& name)
    : zip_(zip), name_(name), stream_(zip_, name + kSuffix), header_(open_member(stream_, label(zip, name))) {
  if (header_.fortran_order)
    fail("{}: is stored in Fortran order and cannot be read row by row; save it again with np.ascontiguousarray",
         label(zip, name));
}

Array NpzRows::read_rows(std::int64_t first, std::int64_t count) {
  const auto read_at = [&](std::uint64_t offset, std::span<std::byte> out) {
    const std::uint64_t wanted = header_.header_bytes + offset;
    if (wanted < stream_.position()) stream_ = ZipStream(zip_, name_ + kSuffix);
    stream_.skip(wanted - stream_.position());
    stream_.read(out);
  };
  return read_npy_rows(header_, read_at, first, count, label(zip_, name_));
}

NpzFile NpzFile::open(const std::filesystem::path& path) {
  return NpzFile(path);
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, member] : zip_.members())
    if (name.ends_with(kSuffix)) names.push_back(name.substr(0, name.size() - kSuffix.size()));
  return names;
}

bool NpzFile::contains(const std::string& name) const {
  return zip_.members().contains(name + kSuffix);
}

Array NpzFile::read(const std::string& name) const {
  if (!contains(name)) fail("{}: has no array '{}'; it has {}", zip_.path(), name, fmt::join(names(), ", "));
  ZipStream stream(zip_, name + kSuffix);
  const NpyHeader header = open_member(stream, label(zip_, name));
  std::vector<std::byte> stored(header.data_bytes());
  stream.read(stored);
  return decode_npy(header, std::move(stored));
}

NpzRows NpzFile::rows(const std::string& name) const {
  if (!contains(name)) fail("{}: has no array '{}'; it has {}", zip_.path(), name, fmt::join(names(), ", "));
  return NpzRows(zip_, name);
}

void write_npz(const std::filesystem::path& path, const std::map<std::string, Array>& arrays,
               NpzCompression compression) {
  ZipWriter zip(path);
  for (const auto& [name, array] : arrays) {
    if (static_cast<std::size_t>(array.count()) * size_of(array.dtype) != array.bytes.size())
      fail("{}[{}]: {} bytes do not fill the shape {}", path.string(), name, array.bytes.size(),
           shape_text(array.shape));
    const std::string header = make_npy_header(array.dtype, array.shape);
    zip.add(name + kSuffix, {std::as_bytes(std::span(header)), array.bytes}, compression == NpzCompression::deflate);
  }
  zip.commit();
}

void archive_npy(const std::filesystem::path& path, const std::string& name, const std::filesystem::path& npy) {
  const MappedFile file(npy);
  ZipWriter zip(path);
  zip.add(name + kSuffix, {file.bytes()}, false);
  zip.commit();
}

}  // namespace fluidsplat::io

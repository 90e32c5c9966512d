// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/npy.h"

#include "base/error.h"

namespace fluidsplat::io {

NpyReader::NpyReader(const std::filesystem::path& path) : file_(path) {
  std::uint64_t position = 0;
  const auto next = [&](std::span<std::byte> out) {
    file_.read_at(position, out);
    position += out.size();
  };
  header_ = read_npy_header(next, file_.name());
  const std::uint64_t present = file_.size() - header_.header_bytes;
  if (present != header_.data_bytes())
    fail("{}: holds {} bytes of data, its header announces {}; the file is damaged or cut short", file_.name(), present,
         header_.data_bytes());
}

Array NpyReader::read_rows(std::int64_t first, std::int64_t count) const {
  const auto read_at = [&](std::uint64_t offset, std::span<std::byte> out) {
    file_.read_at(header_.header_bytes + offset, out);
  };
  return read_npy_rows(header_, read_at, first, count, file_.name());
}

Array NpyReader::read_all() const {
  std::vector<std::byte> stored(header_.data_bytes());
  file_.read_at(header_.header_bytes, stored);
  return decode_npy(header_, std::move(stored));
}

Array read_npy(const std::filesystem::path& path) {
  return NpyReader(path).read_all();
}

NpyWriter::NpyWriter(const std::filesystem::path& path, DType dtype, std::vector<std::int64_t> shape)
    : name_(path.string()), shape_(std::move(shape)), file_(path) {
  if (shape_.empty()) fail("{}: an array that is written by rows needs a first axis", name_);
  row_bytes_ = static_cast<std::size_t>(checked_count(std::span(shape_).subspan(1), name_)) * size_of(dtype);
  file_.write(make_npy_header(dtype, shape_));
}

void NpyWriter::add_row(std::span<const std::byte> row) {
  if (row.size() != row_bytes_ || rows_ == shape_[0])
    fail("{}: row {} of {} bytes does not fit the shape {}", name_, rows_, row.size(), shape_text(shape_));
  file_.write(row);
  ++rows_;
}

void NpyWriter::commit() {
  if (rows_ != shape_[0]) fail("{}: {} of {} rows were written", name_, rows_, shape_[0]);
  file_.commit();
}

void write_npy(const std::filesystem::path& path, const Array& array) {
  if (static_cast<std::size_t>(array.count()) * size_of(array.dtype) != array.bytes.size())
    fail("{}: {} bytes do not fill the shape {}", path.string(), array.bytes.size(), shape_text(array.shape));
  AtomicFile file(path);
  file.write(make_npy_header(array.dtype, array.shape));
  file.write(array.bytes);
  file.commit();
}

}  // namespace fluidsplat::io

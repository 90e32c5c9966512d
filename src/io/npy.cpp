// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/npy.h"

#include "base/atomic_file.h"
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
    fail("{}: holds {} bytes of data, its header announces {}; the file is damaged or cut short",
         file_.name(), present, header_.data_bytes());
}

Array NpyReader::read_rows(std::int64_t first, std::int64_t count) const {
  if (header_.shape.empty()) fail("{}: holds a single number, it has no rows", file_.name());
  const std::int64_t rows = header_.shape[0];
  if (first < 0 || count < 0 || count > rows || first > rows - count)
    fail("{}: rows {} to {} asked, it has {}", file_.name(), first, first + count, rows);

  const std::uint64_t row_elements = header_.row_elements(), size = header_.stored_size();
  Array array{header_.dtype, header_.shape, {}};
  array.shape[0] = count;
  std::vector<std::byte> stored(static_cast<std::uint64_t>(count) * row_elements * size);
  if (!header_.fortran_order) {
    file_.read_at(header_.header_bytes + static_cast<std::uint64_t>(first) * row_elements * size, stored);
    array.bytes = decode_npy_elements(header_, std::move(stored));
    return array;
  }
  // The first axis turns fastest: the wanted rows are one short run for every index of the other axes.
  const std::uint64_t run = static_cast<std::uint64_t>(count) * size;
  for (std::uint64_t i = 0; i < row_elements; ++i) {
    const std::uint64_t element = i * static_cast<std::uint64_t>(rows) + static_cast<std::uint64_t>(first);
    file_.read_at(header_.header_bytes + element * size, std::span(stored).subspan(i * run, run));
  }
  array.bytes = fortran_to_c_order(decode_npy_elements(header_, std::move(stored)), array.shape,
                                   size_of(header_.dtype));
  return array;
}

Array NpyReader::read_all() const {
  if (!header_.shape.empty() && !header_.fortran_order) return read_rows(0, header_.shape[0]);
  std::vector<std::byte> stored(header_.data_bytes());
  file_.read_at(header_.header_bytes, stored);
  Array array{header_.dtype, header_.shape, decode_npy_elements(header_, std::move(stored))};
  if (header_.fortran_order) array.bytes = fortran_to_c_order(array.bytes, array.shape, size_of(array.dtype));
  return array;
}

Array read_npy(const std::filesystem::path& path) {
  return NpyReader(path).read_all();
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

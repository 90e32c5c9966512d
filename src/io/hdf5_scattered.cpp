// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "io/hdf5.h"
#include "io/hdf5_read_driver.h"
#include "io/hdf5_state.h"

namespace fluidsplat::io {
namespace {

// What lies between two rows is read along with them when that is no more than this: another read would cost more.
constexpr std::int64_t kBytesReadThrough = 4096;
constexpr std::int64_t kLongestRead = 1 << 20;
// Rows that go through HDF5 at a time, of a table without chunks.
constexpr std::int64_t kRowsAtATime = 1 << 12;

bool is_plain(hid_t file, hid_t dataset, hid_t layout) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t before = 0;  // what a user has put before the file's own bytes
  if (H5Tequal(type.get(), H5T_NATIVE_FLOAT) <= 0 || H5Pget_userblock(creation.get(), &before) < 0 || before != 0)
    return false;
  for (int i = 0; i < H5Pget_nfilters(layout); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    // A checksum comes after the values, which stay as they are.
    if (H5Pget_filter2(layout, unsigned(i), &flags, &values, nullptr, 0, nullptr, nullptr) != H5Z_FILTER_FLETCHER32)
      return false;
  }
  return true;
}

struct Row {
  std::int64_t at;     // in the file
  std::size_t number;  // among those asked for
};

// Rows of `bytes` each, sorted by where they are.
void read_rows_at(int descriptor, const std::vector<Row>& sorted, std::int64_t bytes, char* out,
                  const std::string& what) {
  std::vector<char> buffer;
  for (std::size_t first = 0; first < sorted.size();) {
    const auto begin = sorted[first].at;
    std::size_t last = first;
    while (last + 1 < sorted.size() && sorted[last + 1].at - (sorted[last].at + bytes) <= kBytesReadThrough &&
           sorted[last + 1].at + bytes - begin <= kLongestRead)
      ++last;
    buffer.resize(std::size_t(sorted[last].at + bytes - begin));
    for (std::size_t done = 0; done < buffer.size();) {
      const auto got = ::pread(descriptor, buffer.data() + done, buffer.size() - done, off_t(begin) + off_t(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("{}: cannot read: {}", what, std::strerror(errno));
      if (got == 0) fail("{}: ends before its values; the file is damaged", what);
      done += std::size_t(got);
    }
    for (; first <= last; ++first)
      std::memcpy(out + sorted[first].number * std::size_t(bytes), buffer.data() + (sorted[first].at - begin),
                  std::size_t(bytes));
  }
}

}  // namespace

const RowLayout& Hdf5File::State::row_layout(const std::string& name) {
  if (const auto known = row_layouts.find(name); known != row_layouts.end()) return known->second;
  const auto extents = shape(name);
  if (extents.size() != 2 && extents.size() != 3) refuse(name, "is {}, not a table", shape_text(extents));
  RowLayout out;
  out.stacked = extents.size() == 3;
  if (out.stacked) out.tables = extents[0];
  out.rows = extents[extents.size() - 2];
  out.columns = extents.back();
  out.chunk_rows = kRowsAtATime;
  const auto layout = own(H5Dget_create_plist(dataset(name)), H5Pclose, name, "read the layout");
  out.plain = is_plain(file.get(), dataset(name), layout.get());
  if (H5Pget_layout(layout.get()) == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(extents.size());
    check(H5Pget_chunk(layout.get(), int(chunk.size()), chunk.data()), name, "read the layout");
    out.chunked = true;
    if (out.stacked) out.chunk_tables = std::int64_t(chunk[0]);
    out.chunk_rows = std::int64_t(chunk[chunk.size() - 2]);
    out.plain = out.plain && chunk.back() == hsize_t(out.columns);
  } else {
    out.begin = out.plain ? H5Dget_offset(dataset(name)) : HADDR_UNDEF;
    out.plain = out.begin != HADDR_UNDEF;
  }
  return row_layouts[name] = out;
}

ChunkAddresses Hdf5File::State::chunks_of(const std::string& name, std::int64_t table) {
  const auto& layout = row_layout(name);
  if (!layout.plain || !layout.chunked) return nullptr;
  auto& known = chunk_addresses[{name, table / layout.chunk_tables}];
  if (known) return known;
  std::vector<haddr_t> found;
  for (std::int64_t row = 0; row < layout.rows; row += layout.chunk_rows) {
    std::vector<hsize_t> at = {hsize_t(row), 0};
    if (layout.stacked) at.insert(at.begin(), hsize_t(table / layout.chunk_tables * layout.chunk_tables));
    found.push_back(chunk_address(dataset(name), at.data()));
  }
  return known = std::make_shared<const std::vector<haddr_t>>(std::move(found));
}

void Hdf5File::read_scattered(const std::string& name, std::int64_t table, std::span<const std::int64_t> rows,
                              float* out) const {
  RowLayout layout;
  ChunkAddresses chunks;
  int descriptor = -1;
  {
    const Hdf5Lock lock;
    layout = state_->row_layout(name);
    if (table < 0 || table >= layout.tables) state_->refuse(name, "has no table {}, it has {}", table, layout.tables);
    for (const auto row : rows)
      if (row < 0 || row >= layout.rows) state_->refuse(name, "has no row {}, it has {}", row, layout.rows);
    chunks = state_->chunks_of(name, table);
    void* handle = nullptr;
    if (H5Fget_vfd_handle(state_->file.get(), H5P_DEFAULT, &handle) >= 0 && handle)
      descriptor = *static_cast<int*>(handle);
  }
  const bool complete = !chunks || std::ranges::find(*chunks, HADDR_UNDEF) == chunks->end();
  if (descriptor >= 0 && layout.plain && complete) {
    const auto bytes = layout.columns * std::int64_t(sizeof(float));
    std::vector<Row> sorted(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto at = std::int64_t(layout.begin) + (table * layout.rows + rows[i]) * bytes;
      if (chunks)
        at = std::int64_t((*chunks)[std::size_t(rows[i] / layout.chunk_rows)]) +
             (table % layout.chunk_tables * layout.chunk_rows + rows[i] % layout.chunk_rows) * bytes;
      sorted[i] = {at, i};
    }
    std::ranges::sort(sorted, {}, &Row::at);
    return read_rows_at(descriptor, sorted, bytes, reinterpret_cast<char*>(out),
                        fmt::format("{}: '{}'", state_->path, name));
  }
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return rows[i]; });
  std::vector<float> block;
  std::int64_t begin = 0, end = 0;
  for (const auto i : order) {
    if (rows[i] >= end) {
      begin = rows[i] / layout.chunk_rows * layout.chunk_rows;
      end = std::min(layout.rows, begin + layout.chunk_rows);
      block.resize(std::size_t((end - begin) * layout.columns));
      if (layout.stacked)
        read_slab(name, {table, begin, 0}, {1, end - begin, layout.columns}, block.data());
      else
        read_slab(name, {begin, 0}, {end - begin, layout.columns}, block.data());
    }
    std::copy_n(block.data() + (rows[i] - begin) * layout.columns, layout.columns,
                out + std::int64_t(i) * layout.columns);
  }
}

}  // namespace fluidsplat::io

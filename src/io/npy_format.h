// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bytes of NumPy's .npy format, apart from where they come from: a file, or a member of an .npz archive.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/array.h"

namespace fluidsplat::io {

struct NpyHeader {
  DType dtype = DType::f64;  // after decoding: half precision becomes f32
  bool half = false;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::uint64_t header_bytes = 0;

  std::uint64_t stored_size() const { return half ? 2 : size_of(dtype); }
  std::uint64_t data_bytes() const;
  // Records the axis order; with at most one real axis both orders are the same, and C is recorded.
  void set_order(bool fortran);
  // Number of elements in one step along the first axis.
  std::uint64_t row_elements() const;
};

// Sets the element type from NumPy's code, such as "<f8"; false when it is none that is supported.
bool set_npy_type(NpyHeader& header, std::string_view descr);

// Reads the header through `read`, which fills its argument with the next bytes or throws.  `source` starts messages.
using ReadNext = std::function<void(std::span<std::byte>)>;
NpyHeader read_npy_header(const ReadNext& read, const std::string& source);

// Data as stored -> native elements in C order.  Rows along the first axis come from `read_at`, which fills its
// argument from a byte offset into the data or throws.
using ReadAt = std::function<void(std::uint64_t, std::span<std::byte>)>;
Array read_npy_rows(const NpyHeader& header, const ReadAt& read_at, std::int64_t first, std::int64_t count,
                    const std::string& source);
Array decode_npy(const NpyHeader& header, std::vector<std::byte> stored);

// The header for an array that follows in C order.
std::string make_npy_header(DType dtype, const std::vector<std::int64_t>& shape);

}  // namespace fluidsplat::io

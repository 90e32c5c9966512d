// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bytes of NumPy's .npy format, apart from where they come from: a file, or a member of an .npz archive.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
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
  // Number of elements in one step along the first axis.
  std::uint64_t row_elements() const;
};

// Reads the header through `read`, which fills its argument with the next bytes or throws.  `source` starts
// messages.
using ReadNext = std::function<void(std::span<std::byte>)>;
NpyHeader read_npy_header(const ReadNext& read, const std::string& source);

// Stored elements -> native elements, in the order stored.
std::vector<std::byte> decode_npy_elements(const NpyHeader& header, std::vector<std::byte> stored);

// Elements of a Fortran-ordered array of this shape -> C order.
std::vector<std::byte> fortran_to_c_order(const std::vector<std::byte>& bytes,
                                          const std::vector<std::int64_t>& shape, std::size_t element_size);

// The header for an array that follows in C order.
std::string make_npy_header(DType dtype, const std::vector<std::int64_t>& shape);

}  // namespace fluidsplat::io

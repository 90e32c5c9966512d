// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/array.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/misuse.h"

namespace fluidsplat::io {
namespace {

// Far beyond any real file, and far below where bytes or strides would overflow.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 56;

template <class To, class From>
To convert_one(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else if constexpr (std::is_floating_point_v<From>) {
    // The bounds are powers of two, so both are exact in From.
    const From low = static_cast<From>(std::numeric_limits<To>::min());
    const From high = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    if (!(value >= low && value < high) || std::trunc(value) != value)
      fail("the value {} is not an integer that fits in {}", value, name_of(dtype_of<To>()));
    return static_cast<To>(value);
  } else {
    if (!std::in_range<To>(value)) fail("the value {} does not fit in {}", value, name_of(dtype_of<To>()));
    return static_cast<To>(value);
  }
}

template <class To, class From>
void convert_all(const std::byte* bytes, std::size_t count, To* out) {
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, bytes + i * sizeof(From), sizeof(From));
    out[i] = convert_one<To>(value);
  }
}

}  // namespace

std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::i8:
    case DType::u8:
    case DType::boolean:
      return 1;
    case DType::i16:
    case DType::u16:
      return 2;
    case DType::f32:
    case DType::i32:
    case DType::u32:
      return 4;
    case DType::f64:
    case DType::i64:
    case DType::u64:
      return 8;
  }
  assert(false);
  return 0;
}

const char* name_of(DType dtype) {
  static constexpr const char* kNames[] = {"f32", "f64", "i8",  "u8",  "i16",    "u16",
                                           "i32", "u32", "i64", "u64", "boolean"};
  return kNames[int(dtype)];
}

std::int64_t checked_count(std::span<const std::int64_t> shape, std::string_view what) {
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) fail("{}: the shape {} has a negative dimension", what, shape_text(shape));
    if (extent == 0) {
      // Later dimensions are still checked: strides are computed from them.
      empty = true;
    } else if (product > kMaxElements / extent) {
      fail("{}: the shape {} is too large", what, shape_text(shape));
    } else {
      product *= extent;
    }
  }
  return empty ? 0 : product;
}

std::string shape_text(std::span<const std::int64_t> shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

template <class T>
void detail::convert(DType from, const std::byte* bytes, std::size_t count, T* out) {
  switch (from) {
    case DType::f32:
      return convert_all<T, float>(bytes, count, out);
    case DType::f64:
      return convert_all<T, double>(bytes, count, out);
    case DType::i8:
      return convert_all<T, std::int8_t>(bytes, count, out);
    case DType::u8:
      return convert_all<T, std::uint8_t>(bytes, count, out);
    case DType::i16:
      return convert_all<T, std::int16_t>(bytes, count, out);
    case DType::u16:
      return convert_all<T, std::uint16_t>(bytes, count, out);
    case DType::i32:
      return convert_all<T, std::int32_t>(bytes, count, out);
    case DType::u32:
      return convert_all<T, std::uint32_t>(bytes, count, out);
    case DType::i64:
      return convert_all<T, std::int64_t>(bytes, count, out);
    case DType::u64:
      return convert_all<T, std::uint64_t>(bytes, count, out);
    case DType::boolean:
      for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<T>(bytes[i] != std::byte{0});
      return;
  }
}

#define FLUIDSPLAT_CONVERT_TO(T) template void detail::convert<T>(DType, const std::byte*, std::size_t, T*);
FLUIDSPLAT_CONVERT_TO(float)
FLUIDSPLAT_CONVERT_TO(double)
FLUIDSPLAT_CONVERT_TO(std::int8_t)
FLUIDSPLAT_CONVERT_TO(std::uint8_t)
FLUIDSPLAT_CONVERT_TO(std::int16_t)
FLUIDSPLAT_CONVERT_TO(std::uint16_t)
FLUIDSPLAT_CONVERT_TO(std::int32_t)
FLUIDSPLAT_CONVERT_TO(std::uint32_t)
FLUIDSPLAT_CONVERT_TO(std::int64_t)
FLUIDSPLAT_CONVERT_TO(std::uint64_t)
#undef FLUIDSPLAT_CONVERT_TO

Array Array::make(DType dtype, std::vector<std::int64_t> shape, std::span<const std::byte> raw) {
  const auto expected = static_cast<std::size_t>(checked_count(shape, "array")) * size_of(dtype);
  if (raw.size() != expected)
    misuse("array: {} bytes of {} do not fill the shape {}", raw.size(), name_of(dtype), shape_text(shape));
  Array array;
  array.dtype = dtype;
  array.shape = std::move(shape);
  array.bytes.assign(raw.begin(), raw.end());
  return array;
}

}  // namespace fluidsplat::io

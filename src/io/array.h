// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fluidsplat::io {

enum class DType { f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, boolean };

std::size_t size_of(DType dtype);
const char* name_of(DType dtype);

template <class T>
constexpr DType dtype_of() {
  static_assert(std::is_arithmetic_v<T>);
  if constexpr (std::is_same_v<T, bool>) {
    return DType::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) <= 8);
    return sizeof(T) == 4 ? DType::f32 : DType::f64;
  } else {
    constexpr bool sign = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1:
        return sign ? DType::i8 : DType::u8;
      case 2:
        return sign ? DType::i16 : DType::u16;
      case 4:
        return sign ? DType::i32 : DType::u32;
      default:
        return sign ? DType::i64 : DType::u64;
    }
  }
}

// The number of elements of a shape that a file claims.  `what` starts the Error's text when a dimension is negative or
// the product does not fit, so no later size computation can overflow.
std::int64_t checked_count(std::span<const std::int64_t> shape, std::string_view what);

// "(3, 4)", for messages.
std::string shape_text(std::span<const std::int64_t> shape);

namespace detail {
// Copies elements of `from` into T at `out`; a value that T cannot hold is an Error.
template <class T>
void convert(DType from, const std::byte* bytes, std::size_t count, T* out);
}  // namespace detail

// A dense array in C order, as it comes from or goes to a file.
struct Array {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  std::int64_t count() const { return checked_count(shape, "array"); }

  // The elements as T whatever the stored type.  Floating-point values may be rounded; an integer that T cannot hold,
  // or a fraction for an integer T, is an Error.
  template <class T>
  std::vector<T> as() const {
    const auto n = std::size_t(count());
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<std::uint8_t> values(n);
      detail::convert(dtype, bytes.data(), n, values.data());
      return {values.begin(), values.end()};
    } else {
      std::vector<T> values(n);
      detail::convert(dtype, bytes.data(), n, values.data());
      return values;
    }
  }

  template <class T>
  static Array from(std::vector<std::int64_t> shape, std::span<const T> values) {
    const auto raw = std::as_bytes(values);
    return make(dtype_of<T>(), std::move(shape), raw);
  }
  template <class T>
  static Array from(std::vector<std::int64_t> shape, const std::vector<T>& values) {
    return from(std::move(shape), std::span<const T>(values));
  }

 private:
  static Array make(DType dtype, std::vector<std::int64_t> shape, std::span<const std::byte> raw);
};

}  // namespace fluidsplat::io

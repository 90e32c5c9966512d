// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/npy_format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint32_t kMaxHeader = 1 << 20;
constexpr std::size_t kMaxRank = 64;

// The header is a Python dictionary literal.  This reads the only form that NumPy writes: three known keys with a
// string, a boolean and a tuple of integers.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, const std::string& source) : rest_(text), source_(source) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = parse_string();
      expect(':');
      if (key == "descr" && !std::exchange(descr, true)) {
        parse_descr(header);
      } else if (key == "fortran_order" && !std::exchange(order, true)) {
        header.fortran_order = parse_boolean();
      } else if (key == "shape" && !std::exchange(shape, true)) {
        header.shape = parse_shape();
      } else {
        refuse(fmt::format("the key '{}' is unknown or repeated", key));
      }
      if (!accept(',') && peek() != '}') refuse("a comma is missing");
    }
    skip_space();
    if (!rest_.empty()) refuse("text follows the dictionary");
    if (!descr || !order || !shape) refuse("needs 'descr', 'fortran_order' and 'shape'");
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) { fail("{}: bad npy header: {}", source_, why); }

  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  char peek() {
    skip_space();
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool accept(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse(fmt::format("'{}' is missing", c));
  }

  std::string parse_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("a quoted name is missing");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) refuse("a quote is not closed");
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool parse_boolean() {
    skip_space();
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    refuse("'fortran_order' must be True or False");
  }

  std::vector<std::int64_t> parse_shape() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::int64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc() || extent < 0) refuse("the shape must hold non-negative integers");
      rest_.remove_prefix(std::size_t(end - rest_.data()));
      if (!rest_.empty() && rest_[0] == 'L') rest_.remove_prefix(1);  // Python 2 wrote long integers so
      shape.push_back(extent);
      if (shape.size() > kMaxRank) refuse("the shape has too many dimensions");
      if (!accept(',') && peek() != ')') refuse("the shape is not a tuple");
    }
    return shape;
  }

  void parse_descr(NpyHeader& header) {
    if (peek() == '[') refuse("records with named fields are not supported; save one plain array per field");
    const std::string descr = parse_string();
    if (!set_npy_type(header, descr))
      refuse(fmt::format("elements of type '{}' are not supported; use floats, integers or booleans", descr));
  }

  std::string_view rest_;
  const std::string& source_;
};

float half_to_float(std::uint16_t bits) {
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  if (exponent == 31) return fraction ? std::nanf("") : sign * HUGE_VALF;
  if (exponent == 0) return sign * std::ldexp(float(fraction), -24);
  return sign * std::ldexp(float(fraction + 1024), exponent - 25);
}

// Stored elements -> native elements, in the order stored.
std::vector<std::byte> decode_elements(const NpyHeader& header, std::vector<std::byte> stored) {
  const std::size_t size = header.stored_size();
  if (header.big_endian)
    for (std::size_t i = 0; i + size <= stored.size(); i += size)
      std::reverse(stored.begin() + std::ptrdiff_t(i), stored.begin() + std::ptrdiff_t(i + size));
  if (!header.half) return stored;
  std::vector<std::byte> widened(stored.size() * 2);
  for (std::size_t i = 0; i < stored.size() / 2; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, &stored[2 * i], 2);
    const float value = half_to_float(bits);
    std::memcpy(&widened[4 * i], &value, 4);
  }
  return widened;
}

// Elements of a Fortran-ordered array of this shape -> C order.
std::vector<std::byte> fortran_to_c_order(const std::vector<std::byte>& bytes, const std::vector<std::int64_t>& shape,
                                          std::size_t element_size) {
  std::vector<std::byte> out(bytes.size());
  std::vector<std::size_t> strides(shape.size()), index(shape.size(), 0);
  for (std::size_t axis = 0, step = 1; axis < shape.size(); step *= static_cast<std::size_t>(shape[axis++]))
    strides[axis] = step;
  std::size_t from = 0;
  for (std::size_t to = 0; to < bytes.size(); to += element_size) {
    std::memcpy(&out[to], &bytes[from * element_size], element_size);
    // The next index in C order: the last axis turns fastest.
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
      from -= strides[axis] * index[axis];
      index[axis] = 0;
    }
  }
  return out;
}

}  // namespace

std::uint64_t NpyHeader::data_bytes() const {
  return static_cast<std::uint64_t>(checked_count(shape, "npy")) * stored_size();
}

void NpyHeader::set_order(bool fortran) {
  fortran_order = fortran && std::ranges::count_if(shape, [](std::int64_t n) { return n > 1; }) > 1;
}

std::uint64_t NpyHeader::row_elements() const {
  if (shape.empty()) return 1;
  return static_cast<std::uint64_t>(checked_count(std::span(shape).subspan(1), "npy"));
}

bool set_npy_type(NpyHeader& header, std::string_view descr) {
  static constexpr std::array<std::pair<std::string_view, DType>, 12> kTypes = {{{"f2", DType::f32},
                                                                                 {"f4", DType::f32},
                                                                                 {"f8", DType::f64},
                                                                                 {"i1", DType::i8},
                                                                                 {"u1", DType::u8},
                                                                                 {"i2", DType::i16},
                                                                                 {"u2", DType::u16},
                                                                                 {"i4", DType::i32},
                                                                                 {"u4", DType::u32},
                                                                                 {"i8", DType::i64},
                                                                                 {"u8", DType::u64},
                                                                                 {"b1", DType::boolean}}};
  if (descr.empty() || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) return false;
  const std::string_view code = descr.substr(1);
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.first == code; });
  if (found == kTypes.end()) return false;
  header.dtype = found->second;
  header.half = code == "f2";
  header.big_endian = descr[0] == '>';
  return true;
}

NpyHeader read_npy_header(const ReadNext& read, const std::string& source) {
  std::array<std::byte, 8> start;
  read(start);
  if (std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0) fail("{}: is not in npy format", source);
  const int version = std::to_integer<int>(start[6]);
  if (version < 1 || version > 3) fail("{}: npy version {} is unknown, 1 to 3 are readable", source, version);
  std::uint32_t length = 0;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  read(std::as_writable_bytes(std::span(&length, 1)).first(length_bytes));
  if (length > kMaxHeader) fail("{}: bad npy header: {} bytes long", source, length);
  std::string text(length, '\0');
  read(std::as_writable_bytes(std::span(text)));
  NpyHeader header = DictionaryParser(text, source).parse();
  header.header_bytes = start.size() + length_bytes + length;
  checked_count(header.shape, source);
  header.set_order(header.fortran_order);
  return header;
}

Array decode_npy(const NpyHeader& header, std::vector<std::byte> stored) {
  Array array{header.dtype, header.shape, decode_elements(header, std::move(stored))};
  if (header.fortran_order) array.bytes = fortran_to_c_order(array.bytes, array.shape, size_of(array.dtype));
  return array;
}

Array read_npy_rows(const NpyHeader& header, const ReadAt& read_at, std::int64_t first, std::int64_t count,
                    const std::string& source) {
  if (header.shape.empty()) fail("{}: holds a single number, it has no rows", source);
  const std::int64_t rows = header.shape[0];
  if (first < 0 || count < 0 || count > rows || first > rows - count)
    fail("{}: {} rows from row {} were asked for, it has {}", source, count, first, rows);

  NpyHeader part = header;
  part.shape[0] = count;
  const std::uint64_t row_elements = header.row_elements(), size = header.stored_size();
  std::vector<std::byte> stored(static_cast<std::uint64_t>(count) * row_elements * size);
  if (!header.fortran_order) {
    read_at(static_cast<std::uint64_t>(first) * row_elements * size, stored);
  } else {
    // The first axis turns fastest: the wanted rows are one short run for every index of the other axes.
    const std::uint64_t run = static_cast<std::uint64_t>(count) * size;
    for (std::uint64_t i = 0; i < row_elements; ++i) {
      const std::uint64_t element = i * static_cast<std::uint64_t>(rows) + static_cast<std::uint64_t>(first);
      read_at(element * size, std::span(stored).subspan(i * run, run));
    }
  }
  return decode_npy(part, std::move(stored));
}

std::string make_npy_header(DType dtype, const std::vector<std::int64_t>& shape) {
  static constexpr const char* kDescr[] = {"<f4", "<f8", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "|b1"};
  const char* comma = shape.size() == 1 ? "," : "";
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", kDescr[int(dtype)],
                                 fmt::join(shape, ", "), comma);
  // Data begins at a multiple of 64 so that it can be mapped; kMaxRank keeps the length below version 1's 65535.
  constexpr std::size_t kPrefix = 10;
  text.resize((kPrefix + text.size() + 1 + 63) / 64 * 64 - kPrefix - 1, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(length & 255), static_cast<char>(length >> 8)};
  return header + text;
}

}  // namespace fluidsplat::io

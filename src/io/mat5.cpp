// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/mat5.h"

#include <zlib.h>

#include <algorithm>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/input_file.h"
#include "io/little_endian.h"

namespace fluidsplat::io {
namespace {

// Numbers of the format's documentation: types of data elements, and classes of arrays.
enum MatType : std::uint32_t { kMatrix = 14, kCompressed = 15 };
constexpr std::uint8_t kFirstNumeric = 6, kLastNumeric = 15;  // double, single, 8- to 64-bit integers
constexpr std::uint8_t kComplex = 0x08, kLogical = 0x02;
constexpr std::size_t kHeader = 128;
// zlib packs at most about 1030-fold.
constexpr std::size_t kMaxRatio = 1100;

std::optional<DType> dtype_of_element(std::uint32_t type) {
  switch (type) {
    case 1:
      return DType::i8;
    case 2:
      return DType::u8;
    case 3:
      return DType::i16;
    case 4:
      return DType::u16;
    case 5:
      return DType::i32;
    case 6:
      return DType::u32;
    case 7:
      return DType::f32;
    case 9:
      return DType::f64;
    case 12:
      return DType::i64;
    case 13:
      return DType::u64;
    default:
      return {};
  }
}

struct Element {
  std::uint32_t type = 0;
  std::span<const std::byte> data;
};

// Takes data elements from bytes, one after the other.
class Elements {
 public:
  Elements(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  bool empty() const { return bytes_.size() < 8; }
  [[noreturn]] void refuse(const char* why) const { fail("{}: not a readable MATLAB file: {}", name_, why); }

  Element next() {
    if (empty()) refuse("an element is missing");
    Element out;
    const auto first = load_le<std::uint32_t>(bytes_.data());
    if (first >> 16) {  // a small element: type and size in one word, the data in the next
      out.type = first & 0xffff;
      const std::size_t size = first >> 16;
      if (size > 4) refuse("a small element is too large");
      out.data = bytes_.subspan(4, size);
      bytes_ = bytes_.subspan(8);
      return out;
    }
    out.type = first;
    const std::size_t size = load_le<std::uint32_t>(bytes_.data() + 4);
    bytes_ = bytes_.subspan(8);
    if (size > bytes_.size()) refuse("it is cut short");
    out.data = bytes_.first(size);
    // Compressed elements follow each other directly, others begin at multiples of eight bytes.
    const std::size_t step = out.type == kCompressed ? size : (size + 7) / 8 * 8;
    bytes_ = bytes_.subspan(std::min(step, bytes_.size()));
    return out;
  }

  std::vector<std::byte> unpacked(std::span<const std::byte> packed) const {
    std::vector<std::byte> out(8);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) refuse("cannot unpack");
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    // The first eight bytes say how many follow.
    const auto fill = [&](std::size_t from) {
      stream.next_out = reinterpret_cast<Bytef*>(out.data() + from);
      stream.avail_out = static_cast<uInt>(out.size() - from);
      const int status = ::inflate(&stream, Z_SYNC_FLUSH);
      return (status == Z_OK || status == Z_STREAM_END) && stream.avail_out == 0;
    };
    bool good = fill(0);
    if (good) {
      const std::size_t size = load_le<std::uint32_t>(out.data() + 4);
      good = size / kMaxRatio <= packed.size();
      if (good && size > 0) {
        out.resize(8 + size);
        good = fill(8);
      }
    }
    inflateEnd(&stream);
    if (!good) refuse("a packed array is damaged");
    return out;
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
};

Array column_major_array(Elements& parts, const Element& dimensions) {
  Array out;
  for (std::size_t i = 0; i + 4 <= dimensions.data.size(); i += 4)
    out.shape.push_back(load_le<std::int32_t>(dimensions.data.data() + i));
  if (out.shape.size() < 2) parts.refuse("an array has no shape");
  const auto count = checked_count(out.shape, "MATLAB array");
  if (count == 0) return out;
  const auto values = parts.next();
  const auto dtype = dtype_of_element(values.type);
  if (!dtype) parts.refuse("an array has elements of an unknown type");
  out.dtype = *dtype;
  if (values.data.size() / size_of(*dtype) != std::size_t(count) || values.data.size() % size_of(*dtype) != 0)
    parts.refuse("the size of an array does not fit its shape");
  out.bytes.assign(values.data.begin(), values.data.end());
  return out;
}

// MATLAB has no lists, only rows and columns.
void drop_empty_axis(Array& array) {
  if (array.shape.size() != 2 || (array.shape[0] != 1 && array.shape[1] != 1)) return;
  array.shape = {array.shape[0] * array.shape[1]};
}

}  // namespace

Array transposed(const Array& from) {
  const std::size_t rank = from.shape.size(), size = size_of(from.dtype);
  Array out{from.dtype, from.shape, std::vector<std::byte>(from.bytes.size())};
  std::vector<std::int64_t> index(rank, 0), stride(rank, 1);
  for (std::size_t a = 1; a < rank; ++a) stride[a] = stride[a - 1] * from.shape[a - 1];
  const std::byte* in = from.bytes.data();
  for (std::size_t at = 0; at < out.bytes.size(); at += size) {
    std::int64_t element = 0;
    for (std::size_t a = 0; a < rank; ++a) element += index[a] * stride[a];
    std::memcpy(out.bytes.data() + at, in + std::size_t(element) * size, size);
    for (std::size_t a = rank; a-- > 0;) {
      if (++index[a] < from.shape[a]) break;
      index[a] = 0;
    }
  }
  return out;
}

bool Mat5File::is_one(const std::filesystem::path& path) {
  const InputFile file(path);
  if (file.size() < kHeader) return false;
  std::vector<std::byte> header(kHeader);
  file.read_at(0, header);
  return std::string_view(reinterpret_cast<const char*>(header.data()), 10) == "MATLAB 5.0";
}

Mat5File Mat5File::read(const std::filesystem::path& path) {
  return parse(read_file(path), path.string());
}

Mat5File Mat5File::parse(std::string_view text, const std::string& name) {
  const auto bytes = std::as_bytes(std::span(text));
  if (bytes.size() < kHeader || text.substr(126, 2) != "IM")
    fail("{}: not a MATLAB file of version 5 to 7 as this machine stores it; save it again with -v7 or -v7.3", name);
  Mat5File out;
  Elements file(bytes.subspan(kHeader), name);
  while (!file.empty()) {
    auto element = file.next();
    std::vector<std::byte> unpacked;
    if (element.type == kCompressed) {
      unpacked = file.unpacked(element.data);
      element = Elements(unpacked, name).next();
    }
    if (element.type != kMatrix || element.data.empty()) continue;
    Elements parts(element.data, name);
    const auto flags = parts.next();
    if (flags.data.size() < 8) parts.refuse("an array has no flags");
    const auto kind = std::uint8_t(flags.data[0]), flag = std::uint8_t(flags.data[1]);
    const auto dimensions = parts.next();
    const auto called = parts.next();
    const std::string array(reinterpret_cast<const char*>(called.data.data()), called.data.size());
    if (kind < kFirstNumeric || kind > kLastNumeric || (flag & kComplex)) {
      if (!array.empty()) out.others_.push_back(array);
      continue;
    }
    auto values = transposed(column_major_array(parts, dimensions));
    if ((flag & kLogical) && values.dtype == DType::u8) values.dtype = DType::boolean;
    drop_empty_axis(values);
    out.arrays_.insert_or_assign(array, std::move(values));
  }
  return out;
}

}  // namespace fluidsplat::io

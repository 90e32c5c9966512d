// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/netcdf3.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

// Numbers of the format's documentation.
enum Tag : std::uint32_t { kDimension = 10, kVariable = 11, kAttribute = 12 };
constexpr std::uint32_t kCharacters = 2;
constexpr std::uint32_t kStreaming = 0xffffffff;  // the number of records was not known when the file was begun

std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + 3) / 4 * 4;
}

// Values in the order of bytes that the format has, to the one that this machine has.
void swap_bytes(std::vector<std::byte>& bytes, std::size_t size) {
  for (auto at = bytes.begin(); at != bytes.end(); at += std::ptrdiff_t(size))
    std::reverse(at, at + std::ptrdiff_t(size));
}

// Takes one thing after the other from the header.
class Header {
 public:
  explicit Header(const InputFile& file) : file_(file) {
    const auto magic = text(4);
    if (!magic.starts_with("CDF") || (magic[3] != 1 && magic[3] != 2 && magic[3] != 5))
      refuse("it does not begin as one");
    version_ = magic[3];
  }
  [[noreturn]] void refuse(const std::string& why) const {
    fail("{}: not a readable NetCDF file of the classic format: {}", file_.name(), why);
  }

  std::uint32_t word() { return std::uint32_t(number(4)); }
  // A count or a length; what is counted takes at least `least` bytes each, which the file must have.
  Index count(std::uint64_t least) {
    const auto value = number(version_ == 5 ? 8 : 4);
    if (least > 0 && value > left() / least) refuse("it is cut short");
    if (value >> (version_ == 5 ? 62 : 31)) refuse("a length is negative");
    return Index(value);
  }
  // The number of records; false when the file does not say.
  bool records(Index& out) {
    const auto value = number(version_ == 5 ? 8 : 4);
    const bool known = value != (version_ == 5 ? ~std::uint64_t{0} : kStreaming);
    if (known && value >> 62) refuse("the number of records is negative");
    out = known ? Index(value) : 0;
    return known;
  }
  // The size of a variable follows from its shape, and does not fit here when it is large.
  void skip_size() { number(version_ == 5 ? 8 : 4); }
  std::uint64_t offset() { return number(version_ == 1 ? 4 : 8); }
  std::string name() {
    const auto length = count(1);
    auto out = text(std::uint64_t(length));
    skip_padding(std::uint64_t(length));
    return out;
  }
  // How many things of a kind follow.
  Index list(Tag tag, std::uint64_t least) {
    const auto found = word();
    if (found != tag && found != 0) refuse("a list in its header has an unknown kind");
    const auto n = count(least);
    if (found == 0 && n != 0) refuse("a list in its header has no kind");
    return n;
  }
  DType type(std::uint32_t number) const {
    constexpr DType known[] = {DType::i8, DType::u8,  DType::i16, DType::i32, DType::f32, DType::f64,
                               DType::u8, DType::u16, DType::u32, DType::i64, DType::u64};
    if (number < 1 || number > std::size(known)) refuse(fmt::format("{} is no type of values", number));
    return known[number - 1];
  }
  std::map<std::string, NetCdf3File::Attribute> attributes() {
    std::map<std::string, NetCdf3File::Attribute> out;
    for (auto n = list(kAttribute, 12); n > 0; --n) {
      const auto called = name();
      const auto kind = word();
      const auto dtype = type(kind);
      const auto values = count(size_of(dtype));
      const auto size = std::uint64_t(values) * size_of(dtype);
      auto& attribute = out[called];
      if (kind == kCharacters) {
        attribute.text = text(size);
      } else {
        Array array{dtype, {values}, bytes(size)};
        swap_bytes(array.bytes, size_of(dtype));
        attribute.numbers = array.as<double>();
      }
      skip_padding(size);
    }
    return out;
  }

 private:
  std::uint64_t left() const { return file_.size() - at_; }
  std::vector<std::byte> bytes(std::uint64_t size) {
    if (size > left()) refuse("it is cut short");
    std::vector<std::byte> out(size);
    file_.read_at(at_, out);
    at_ += size;
    return out;
  }
  std::string text(std::uint64_t size) {
    const auto read = bytes(size);
    return {reinterpret_cast<const char*>(read.data()), read.size()};
  }
  std::uint64_t number(std::uint64_t size) {
    std::uint64_t out = 0;
    for (auto b : bytes(size)) out = out << 8 | std::uint64_t(b);
    return out;
  }
  void skip_padding(std::uint64_t size) { bytes(padded(size) - size); }

  const InputFile& file_;
  std::uint64_t at_ = 0;
  int version_ = 1;
};

std::uint64_t row_bytes(const NetCdf3File::Variable& v, const std::string& file) {
  const std::span<const Index> shape = v.shape;
  return std::uint64_t(
             checked_count(shape.empty() ? shape : shape.subspan(1), fmt::format("{}: \"{}\"", file, v.name))) *
         size_of(v.dtype);
}

}  // namespace

NetCdf3File::NetCdf3File(const std::filesystem::path& path) : file_(path) {
  Header header(file_);
  Index records = 0;
  const bool records_known = header.records(records);
  std::vector<Index> lengths;
  for (auto n = header.list(kDimension, 8); n > 0; --n) {
    dimensions_.push_back(header.name());
    lengths.push_back(header.count(0));
  }
  header.attributes();  // of the file as a whole
  for (auto n = header.list(kVariable, 24); n > 0; --n) {
    Variable v;
    v.name = header.name();
    for (auto rank = header.count(4); rank > 0; --rank) {
      const auto id = header.count(0);
      if (id >= std::ssize(lengths)) header.refuse(fmt::format("\"{}\" has an unknown axis", v.name));
      const auto length = lengths[std::size_t(id)];
      // The axis of length 0 is the one that grows, and always the first.
      if (length == 0 && !v.shape.empty())
        header.refuse(fmt::format("\"{}\" grows along an axis that is not its first", v.name));
      if (length == 0) v.is_record = true;
      v.shape.push_back(length);
      v.axes.push_back(id);
    }
    v.attributes = header.attributes();
    const auto kind = header.word();
    v.dtype = header.type(kind);
    v.is_text = kind == kCharacters;
    header.skip_size();
    v.begin = header.offset();
    variables_.push_back(std::move(v));
  }
  place_variables(records, records_known);
}

// Says where rows are, and holds that against the size of the file.
void NetCdf3File::place_variables(Index records, bool records_known) {
  const auto refuse = [&](const Variable& v) {
    fail("{}: not a readable NetCDF file of the classic format: it is cut short in \"{}\"", file_.name(), v.name);
  };
  // The records of all variables that grow take turns.
  std::uint64_t record = 0, start = file_.size();
  const auto growing = std::count_if(variables_.begin(), variables_.end(), [](const auto& v) { return v.is_record; });
  for (const auto& v : variables_) {
    if (!v.is_record) continue;
    const auto bytes = row_bytes(v, file_.name());
    if (bytes > file_.size()) {
      if (records_known && records == 0) continue;
      refuse(v);
    }
    record += growing == 1 ? bytes : padded(bytes);
    start = std::min(start, v.begin);
  }
  if (!records_known && record > 0) records = Index((file_.size() - start) / record);
  for (auto& v : variables_) {
    if (v.is_record) v.shape.front() = records;
    const auto row = row_bytes(v, file_.name());
    v.stride = v.is_record ? record : row;
    const auto rows = v.shape.empty() ? 1 : std::uint64_t(v.shape.front());
    if (rows == 0 || row == 0) continue;
    if (v.begin > file_.size() || row > file_.size() - v.begin ||
        (rows - 1) > (file_.size() - v.begin - row) / v.stride)
      refuse(v);
  }
}

bool NetCdf3File::is_one(const std::filesystem::path& path) {
  const InputFile file(path);
  if (file.size() < 4) return false;
  std::vector<std::byte> magic(3);
  file.read_at(0, magic);
  return std::string_view(reinterpret_cast<const char*>(magic.data()), 3) == "CDF";
}

const NetCdf3File::Variable* NetCdf3File::find(const std::string& name) const {
  const auto it = std::find_if(variables_.begin(), variables_.end(), [&](const auto& v) { return v.name == name; });
  return it == variables_.end() ? nullptr : &*it;
}

Array NetCdf3File::read(const Variable& v) const {
  if (!v.shape.empty()) return read_rows(v, 0, v.shape.front());
  Array out{v.dtype, {}, std::vector<std::byte>(size_of(v.dtype))};
  file_.read_at(v.begin, out.bytes);
  swap_bytes(out.bytes, size_of(v.dtype));
  return out;
}

Array NetCdf3File::read_rows(const Variable& v, Index first, Index count) const {
  if (first < 0 || count < 0 || first > v.shape.at(0) - count)
    fail("{}: \"{}\" has no rows {} to {}", file_.name(), v.name, first, first + count - 1);
  const auto row = row_bytes(v, file_.name());
  Array out{v.dtype, v.shape, std::vector<std::byte>(std::uint64_t(count) * row)};
  out.shape.front() = count;
  if (v.stride == row) {
    file_.read_at(v.begin + std::uint64_t(first) * row, out.bytes);
  } else {
    for (std::uint64_t r = 0; r < std::uint64_t(count); ++r)
      file_.read_at(v.begin + (std::uint64_t(first) + r) * v.stride, std::span(out.bytes).subspan(r * row, row));
  }
  swap_bytes(out.bytes, size_of(v.dtype));
  return out;
}

}  // namespace fluidsplat::io

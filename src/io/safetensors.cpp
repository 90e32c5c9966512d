// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::io {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr std::size_t kMaxRank = 32;
constexpr const char* kMetadataKey = "__metadata__";

constexpr std::array<std::pair<const char*, DType>, 11> kDTypes = {{{"F32", DType::f32},
                                                                    {"F64", DType::f64},
                                                                    {"I8", DType::i8},
                                                                    {"U8", DType::u8},
                                                                    {"I16", DType::i16},
                                                                    {"U16", DType::u16},
                                                                    {"I32", DType::i32},
                                                                    {"U32", DType::u32},
                                                                    {"I64", DType::i64},
                                                                    {"U64", DType::u64},
                                                                    {"BOOL", DType::boolean}}};

// The header nests no deeper than tensor -> shape; JSON that repeats a key would let two readers see two models.
Json parse_header(std::string_view text, const std::string& file) {
  constexpr int kMaxDepth = 3;
  std::vector<std::set<std::string>> keys;
  const auto check = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) fail("{}: the header nests too deeply for safetensors", file);
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      fail("{}: the header names '{}' twice", file, value.get<std::string>());
    return true;
  };
  try {
    Json header = Json::parse(text.begin(), text.end(), check);
    if (!header.is_object()) fail("{}: the header is not a JSON object", file);
    return header;
  } catch (const Json::exception& error) {
    fail("{}: the header is not valid JSON: {}", file, error.what());
  }
}

DType parse_dtype(const Json& info, const std::string& where) {
  const auto found = info.find("dtype");
  if (found == info.end() || !found->is_string()) fail("{}: has no dtype", where);
  const auto& text = found->get_ref<const std::string&>();
  for (const auto& [name, dtype] : kDTypes)
    if (text == name) return dtype;
  fail("{}: the dtype '{}' is not supported; use F32, F64, I8..I64, U8..U64 or BOOL", where, text);
}

std::vector<std::uint64_t> parse_integers(const Json& info, const char* key, std::size_t max_size,
                                          const std::string& where) {
  const auto found = info.find(key);
  if (found == info.end() || !found->is_array() || found->size() > max_size)
    fail("{}: '{}' must be a list of at most {} integers", where, key, max_size);
  std::vector<std::uint64_t> values;
  for (const Json& item : *found) {
    if (!item.is_number_unsigned()) fail("{}: '{}' must hold non-negative integers", where, key);
    values.push_back(item.get<std::uint64_t>());
  }
  return values;
}

TensorView parse_tensor(const Json& info, std::span<const std::byte> data, const std::string& where) {
  if (!info.is_object()) fail("{}: its description is not a JSON object", where);
  TensorView view;
  view.dtype = parse_dtype(info, where);
  for (const std::uint64_t extent : parse_integers(info, "shape", kMaxRank, where)) {
    if (extent > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
      fail("{}: a dimension of {} is too large", where, extent);
    view.shape.push_back(std::int64_t(extent));
  }
  const auto offsets = parse_integers(info, "data_offsets", 2, where);
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size())
    fail("{}: its data_offsets do not lie inside the {} bytes of data; the file is damaged or cut short", where,
         data.size());
  const auto expected = static_cast<std::uint64_t>(checked_count(view.shape, where)) * size_of(view.dtype);
  if (offsets[1] - offsets[0] != expected)
    fail("{}: {} bytes stored for {} elements of {}", where, offsets[1] - offsets[0], shape_text(view.shape),
         name_of(view.dtype));
  view.bytes = data.subspan(offsets[0], expected);
  return view;
}

// Every byte of the data belongs to exactly one tensor.
void check_coverage(const std::map<std::string, TensorView>& tensors, std::span<const std::byte> data,
                    const std::string& file) {
  std::vector<std::pair<const std::byte*, const std::byte*>> ranges;
  for (const auto& [name, view] : tensors)
    ranges.emplace_back(view.bytes.data(), view.bytes.data() + view.bytes.size());
  std::sort(ranges.begin(), ranges.end());
  const std::byte* end = data.data();
  for (const auto& [first, last] : ranges) {
    if (first < end) fail("{}: two tensors overlap; the file is damaged", file);
    if (first > end) fail("{}: bytes between two tensors belong to none; the file is damaged", file);
    end = last;
  }
  if (end != data.data() + data.size())
    fail("{}: the tensors do not cover the file exactly; the file is damaged", file);
}

std::uint64_t read_header_size(std::span<const std::byte> bytes, const std::string& file) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) fail("{}: too short for a safetensors file", file);
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size > kMaxHeader) fail("{}: not a safetensors file (its header would have {} bytes)", file, size);
  if (size > bytes.size() - sizeof size) fail("{}: the file ends inside its header", file);
  return size;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path.string()), file_(path) {
  const auto bytes = file_.bytes();
  const std::uint64_t header_size = read_header_size(bytes, path_);
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + sizeof header_size;
  const Json header = parse_header({text, header_size}, path_);
  const auto data = bytes.subspan(sizeof header_size + header_size);

  for (const auto& [name, info] : header.items()) {
    if (name == kMetadataKey) {
      if (!info.is_object()) fail("{}: '{}' is not a JSON object", path_, kMetadataKey);
      for (const auto& [key, value] : info.items()) {
        if (!value.is_string()) fail("{}: the metadata '{}' is not a text", path_, key);
        metadata_.emplace(key, value.get<std::string>());
      }
    } else {
      tensors_.emplace(name, parse_tensor(info, data, fmt::format("{}: tensor '{}'", path_, name)));
    }
  }
  check_coverage(tensors_, data, path_);

  for (auto& [name, view] : tensors_) {
    if (reinterpret_cast<std::uintptr_t>(view.bytes.data()) % size_of(view.dtype) == 0) continue;
    realigned_.emplace_back(view.bytes.begin(), view.bytes.end());
    view.bytes = realigned_.back();
  }
}

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
  return SafetensorsFile(path);
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, view] : tensors_) names.push_back(name);
  return names;
}

TensorView SafetensorsFile::get(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail("{}: has no tensor '{}'", path_, name);
  return found->second;
}

void write_safetensors(const std::filesystem::path& path,
                       const std::vector<std::pair<std::string, TensorView>>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  // Widest elements first: then every tensor is aligned as long as the data begins at a multiple of 8.
  std::vector<const std::pair<std::string, TensorView>*> order;
  for (const auto& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::pair(size_of(b->second.dtype), std::string_view(a->first)) <
           std::pair(size_of(a->second.dtype), std::string_view(b->first));
  });

  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[kMetadataKey] = metadata;
  std::set<std::string> seen = {kMetadataKey};
  std::uint64_t offset = 0;
  for (const auto* tensor : order) {
    const auto& [name, view] = *tensor;
    const std::string where = fmt::format("{}: tensor '{}'", path.string(), name);
    if (!seen.insert(name).second) fail("{}: the name is already taken", where);
    if (static_cast<std::uint64_t>(checked_count(view.shape, where)) * size_of(view.dtype) != view.bytes.size())
      fail("{}: {} bytes do not fill {} of {}", where, view.bytes.size(), shape_text(view.shape), name_of(view.dtype));
    const auto dtype =
        std::find_if(kDTypes.begin(), kDTypes.end(), [&](const auto& entry) { return entry.second == view.dtype; });
    header[name] = {
        {"dtype", dtype->first}, {"shape", view.shape}, {"data_offsets", {offset, offset + view.bytes.size()}}};
    offset += view.bytes.size();
  }

  std::string text;
  try {
    text = header.dump();
  } catch (const Json::exception& error) {
    fail("{}: names and metadata must be UTF-8: {}", path.string(), error.what());
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t size = text.size();
  if (size > kMaxHeader) fail("{}: names and metadata need more than {} bytes", path.string(), kMaxHeader);

  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&size, 1)));
  file.write(text);
  for (const auto* tensor : order) file.write(tensor->second.bytes);
  file.commit();
}

void write_safetensors(const std::filesystem::path& path, const std::map<std::string, Array>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<std::pair<std::string, TensorView>> views;
  for (const auto& [name, array] : tensors) views.emplace_back(name, TensorView{array.dtype, array.shape, array.bytes});
  write_safetensors(path, views, metadata);
}

}  // namespace fluidsplat::io

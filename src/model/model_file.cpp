// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_file.h"

#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::model {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "fluidsplat-model";
// Metadata "block:NAME" holds a block's version and config; its tensors are called NAME/...
constexpr const char* kBlockPrefix = "block:";
constexpr char kBlockSeparator = '/';

const std::string& entry(const std::map<std::string, std::string>& metadata, const char* key,
                         const std::string& where) {
  const auto it = metadata.find(key);
  if (it == metadata.end()) fail("{}: not a fluidsplat model: its metadata has no \"{}\"", where, key);
  return it->second;
}

json parse(const std::string& text, const char* what, const std::string& where) {
  auto out = json::parse(text, nullptr, false);
  if (out.is_discarded()) fail("{}: the model's {} is not JSON; the file is damaged", where, what);
  return out;
}

int schema_of(const std::map<std::string, std::string>& metadata, const std::string& where) {
  const auto& text = entry(metadata, "schema", where);
  for (int schema = kOldestSchema; schema <= kNewestSchema; ++schema)
    if (text == std::to_string(schema)) return schema;
  fail("{}: model schema \"{}\", this version of fluidsplat reads schema {} to {}; use a newer one", where, text,
       kOldestSchema, kNewestSchema);
}

void check_finite(const io::Array& array, const std::string& name, const std::string& where) {
  if (array.dtype != io::DType::f32) return;
  const auto* values = reinterpret_cast<const float*>(array.bytes.data());
  for (Index i = 0; i < array.count(); ++i)
    if (!std::isfinite(values[i])) fail("{}: not written, the tensor \"{}\" is not finite", where, name);
}

}  // namespace

void write_model_file(const std::filesystem::path& path, const ModelContents& contents) {
  const auto where = path.string();
  std::map<std::string, std::string> metadata = {
      {"format", kFormat}, {"schema", std::to_string(kNewestSchema)}, {"config", to_json(contents.description).dump()}};
  auto tensors = contents.tensors;
  for (const auto& [name, block] : contents.blocks) {
    metadata[kBlockPrefix + name] = json{{"version", block.version}, {"config", json::parse(block.config)}}.dump();
    for (const auto& [tensor, array] : block.tensors) tensors[name + kBlockSeparator + tensor] = array;
  }
  for (const auto& [name, array] : tensors) check_finite(array, name, where);
  io::write_safetensors(path, tensors, metadata);
}

ModelFile ModelFile::open(const std::filesystem::path& path) {
  return ModelFile(io::SafetensorsFile::open(path), path.string());
}

ModelFile::ModelFile(io::SafetensorsFile file, std::string name) : file_(std::move(file)), name_(std::move(name)) {
  const auto& metadata = file_.metadata();
  const auto& format = entry(metadata, "format", name_);
  if (format != kFormat) fail("{}: not a fluidsplat model (format \"{}\")", name_, format);
  const int schema = schema_of(metadata, name_);
  description_ = description_from_json(parse(entry(metadata, "config", name_), "config", name_), schema, name_);
  for (const auto& [key, text] : metadata) {
    if (!key.starts_with(kBlockPrefix)) continue;
    const auto block = key.substr(std::string(kBlockPrefix).size());
    const auto value = parse(text, "block", name_);
    if (!value.is_object() || !value.contains("version") || !value["version"].is_number_integer() ||
        !value.contains("config"))
      fail("{}: the block \"{}\" has no version or no config; the file is damaged", name_, block);
    blocks_[block] = {value["version"].get<int>(), value["config"].dump(), {}};
  }
}

bool ModelFile::is_own(const std::string& tensor) const {
  const auto end = tensor.find(kBlockSeparator);
  return end == std::string::npos || !blocks_.contains(tensor.substr(0, end));
}

void ModelFile::read(Spec& spec) const {
  if (spec.kind() != description_.kind)
    fail("{}: a model of kind \"{}\" where \"{}\" was expected", name_, description_.kind, spec.kind());
  spec.read_json(json::parse(description_.settings), name_ + ", \"model\"");
}

std::vector<std::string> ModelFile::tensor_names() const {
  auto names = file_.names();
  std::erase_if(names, [&](const auto& name) { return !is_own(name); });
  return names;
}

io::TensorView ModelFile::tensor(const std::string& name) const {
  if (!file_.contains(name)) fail("{}: the tensor \"{}\" is missing", name_, name);
  const auto view = file_.get(name);
  if (view.dtype != io::DType::f32) fail("{}: the tensor \"{}\" must be F32", name_, name);
  const auto* values = reinterpret_cast<const float*>(view.bytes.data());
  for (Index i = 0; i < std::ssize(view.bytes) / Index{sizeof(float)}; ++i)
    if (!std::isfinite(values[i])) fail("{}: the tensor \"{}\" holds a value that is not finite", name_, name);
  return view;
}

Index ModelFile::parameters() const {
  Index count = 0;
  for (const auto& name : tensor_names()) count += std::ssize(file_.get(name).bytes) / Index{sizeof(float)};
  return count;
}

std::vector<std::string> ModelFile::block_names() const {
  std::vector<std::string> out;
  for (const auto& [name, block] : blocks_) out.push_back(name);
  return out;
}

Block ModelFile::block(const std::string& name, int newest) const {
  const auto it = blocks_.find(name);
  if (it == blocks_.end()) fail("{}: has no block \"{}\"", name_, name);
  Block out = it->second;
  if (out.version < 1 || out.version > newest)
    fail("{}: the block \"{}\" has version {}, this version of fluidsplat reads 1 to {}; use a newer one", name_, name,
         out.version, newest);
  const auto prefix = name + kBlockSeparator;
  for (const auto& tensor : file_.names())
    if (tensor.starts_with(prefix)) out.tensors[tensor.substr(prefix.size())] = file_.get(tensor).copy();
  return out;
}

const float* ModelFile::Weights::take(const std::string& name, const std::vector<std::int64_t>& shape) {
  const auto view = file_.tensor(name);
  if (view.shape != shape)
    fail("{}: the tensor \"{}\" has shape [{}], the settings call for [{}]", file_.name(), name,
         fmt::join(view.shape, ", "), fmt::join(shape, ", "));
  taken_.insert(name);
  return reinterpret_cast<const float*>(view.bytes.data());
}

void ModelFile::Weights::finish() const {
  for (const auto& name : file_.tensor_names())
    if (!taken_.contains(name))
      fail("{}: the tensor \"{}\" has no place in the model its settings describe", file_.name(), name);
}

}  // namespace fluidsplat::model

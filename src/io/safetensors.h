// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/array.h"
#include "io/mapped_file.h"

namespace fluidsplat::io {

// A tensor whose bytes live elsewhere.
struct TensorView {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;

  Array copy() const { return {dtype, shape, {bytes.begin(), bytes.end()}}; }
};

// A model file: a JSON header, then raw little-endian tensors.  The file is mapped, not loaded, and nothing in it is
// trusted: the header must describe the bytes exactly, without holes and without overlap. Constant after open(), so any
// number of threads may read.
class SafetensorsFile {
 public:
  static SafetensorsFile open(const std::filesystem::path& path);

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const { return tensors_.contains(name); }
  // Valid while this object lives (moving it is fine); bytes are aligned for the element type.
  TensorView get(const std::string& name) const;

 private:
  explicit SafetensorsFile(const std::filesystem::path& path);

  std::string path_;
  MappedFile file_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, TensorView> tensors_;
  // Copies of tensors that other writers put at addresses unfit for their type.
  std::vector<std::vector<std::byte>> realigned_;
};

// Both appear whole or not at all.
void write_safetensors(const std::filesystem::path& path,
                       const std::vector<std::pair<std::string, TensorView>>& tensors,
                       const std::map<std::string, std::string>& metadata);
void write_safetensors(const std::filesystem::path& path, const std::map<std::string, Array>& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace fluidsplat::io

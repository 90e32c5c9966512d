// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/safetensors.h"
#include "model/description.h"
#include "model/spec.h"

namespace fluidsplat::model {

// A part of a model file with a version of its own, for what is added to a finished model: a calibration, a mean field.
// Programs that do not know a block leave it alone.
struct Block {
  int version = 1;
  std::string config = "{}";  // JSON
  std::map<std::string, io::Array> tensors;
};

// What one model file holds.
struct ModelContents {
  Description description;
  std::map<std::string, io::Array> tensors;  // F32
  std::map<std::string, Block> blocks;
};

// Written whole or not at all; weights that are not finite are refused.
void write_model_file(const std::filesystem::path& path, const ModelContents& contents);

// An open model file.  Nothing in it is trusted; an Error names the file and the entry.  Constant after open().
class ModelFile {
 public:
  static ModelFile open(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  const Description& description() const { return description_; }
  // Reads the settings into a Spec of the file's kind.
  void read(Spec& spec) const;
  // The model's own tensors, those of blocks left out.  Views are valid while the file lives.
  std::vector<std::string> tensor_names() const;
  // Throws Error unless it is there, is F32 and has only finite values.
  io::TensorView tensor(const std::string& name) const;
  // The number of the model's own numbers.
  Index parameters() const;

  std::vector<std::string> block_names() const;
  bool has_block(const std::string& name) const { return blocks_.contains(name); }
  // Throws Error when there is none, or one of a newer version than `newest`.
  Block block(const std::string& name, int newest) const;

  // Takes the model's tensors out one by one, each with the shape that the settings call for.
  class Weights;

 private:
  ModelFile(io::SafetensorsFile file, std::string name);
  bool is_own(const std::string& tensor) const;

  io::SafetensorsFile file_;
  std::string name_;
  Description description_;
  std::map<std::string, Block> blocks_;  // without their tensors
};

class ModelFile::Weights {
 public:
  explicit Weights(const ModelFile& file) : file_(file) {}
  // Throws Error unless the tensor is there, is F32, has this shape and only finite values.  Valid while the file
  // lives.
  const float* take(const std::string& name, const std::vector<std::int64_t>& shape);
  const float* matrix(const std::string& name, Index rows, Index cols) { return take(name, {rows, cols}); }
  const float* vector(const std::string& name, Index size) { return take(name, {size}); }
  // Throws Error when the file holds a tensor that nobody took.
  void finish() const;

 private:
  const ModelFile& file_;
  std::set<std::string> taken_;
};

}  // namespace fluidsplat::model

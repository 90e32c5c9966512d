// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "io/safetensors.h"

namespace fluidsplat::runtime {

// Takes tensors out of a model file, each with the shape that the config calls for, and nothing else.
class Weights {
 public:
  Weights(const io::SafetensorsFile& file, std::string where) : file_(file), where_(std::move(where)) {}
  // Throws Error unless the tensor is there, is F32, has this shape and only finite values.
  const float* matrix(const std::string& name, std::size_t rows, std::size_t cols);
  const float* vector(const std::string& name, std::size_t size);
  // Throws Error when the file holds a tensor that nobody took.
  void finish() const;

 private:
  const float* take(const std::string& name, const std::vector<std::int64_t>& shape);
  const io::SafetensorsFile& file_;
  std::string where_;
  std::set<std::string> taken_;
};

}  // namespace fluidsplat::runtime

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "base/index.h"
#include "io/safetensors.h"

namespace fluidsplat::runtime {

// Takes tensors out of a model file, each with the shape that the config calls for, and nothing else.
class Weights {
 public:
  Weights(const io::SafetensorsFile& file, std::string where) : file_(file), where_(std::move(where)) {}
  // Throws Error unless the tensor is there, is F32, has this shape and only finite values.
  const float* matrix(const std::string& name, Index rows, Index cols);
  const float* vector(const std::string& name, Index size);
  // Throws Error when the file holds a tensor that nobody took.
  void finish() const;

 private:
  const float* take(const std::string& name, const std::vector<Index>& shape);
  const io::SafetensorsFile& file_;
  std::string where_;
  std::set<std::string> taken_;
};

}  // namespace fluidsplat::runtime

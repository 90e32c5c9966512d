// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/index.h"
#include "kernels/spec.h"

namespace fluidsplat::kernels {

// One tensor of the decoder inside the flat parameter array.  A vector has one column.
struct ParameterTensor {
  std::string name;
  Index rows = 0, cols = 1, offset = 0;
  bool is_vector = false;
  Index size() const { return rows * cols; }
};

// Weight [rows, cols] and bias [rows] of one linear map, as offsets into the flat array.
struct LinearParameters {
  Index weight = 0, bias = 0, rows = 0, cols = 0;
};

// The decoder's parameters as one flat array of floats: which tensors exist for a shape, their names in the model file,
// and where each begins.  Gradients use the same order.
class Parameters {
 public:
  explicit Parameters(const FluidSplatSpec& shape);

  LinearParameters query, token, global, attend_q, attend_k, attend_v, attend_out, ffn0, ffn1;
  LinearParameters norm1, norm2;  // vectors: weight and bias of `rows` entries
  std::vector<LinearParameters> mlp, modulation;

  const std::vector<ParameterTensor>& tensors() const { return tensors_; }
  Index size() const { return size_; }

 private:
  enum class Shape { kMatrix, kVector };
  LinearParameters add(const std::string& name, Index rows, Index cols, Shape shape = Shape::kMatrix);
  std::vector<ParameterTensor> tensors_;
  Index size_ = 0;
};

}  // namespace fluidsplat::kernels

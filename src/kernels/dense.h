// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/buffer.h"
#include "kernels/packed_matrix.h"

namespace fluidsplat::kernels {

// A plain layer of an MLP: weight [rows][cols], row after row, and bias [rows].
struct DenseLayer {
  const float *weight = nullptr, *bias = nullptr;
  Index rows = 0, cols = 0;
};

// y = weight x + bias for one vector.
void matrix_vector(const DenseLayer& layer, const float* x, float* y);

// values = gelu(values).
void gelu(float* values, Index count);

// An MLP with GELU between its layers, applied to many tokens at once.  Tokens are lanes: inputs and outputs are panels
// [panel][feature][token in panel], see panel_width().  Constant after construction.
class DenseNetwork {
 public:
  DenseNetwork() = default;
  explicit DenseNetwork(const std::vector<DenseLayer>& layers);
  Index inputs() const { return layers_.front().cols; }
  Index outputs() const { return layers_.back().rows; }
  // Floats of scratch that run() needs for one panel.
  Index scratch_size() const;
  // input [panels][inputs][width] -> output [panels][outputs][width].
  void run(const float* input, Index panels, float* scratch, float* output) const;

 private:
  struct Layer {
    Index weight, bias, rows, cols;  // offsets into storage_
  };
  std::vector<Layer> layers_;
  Buffer storage_;
};

// Rows of one panel of tokens, [x | sin(pi x) | cos(pi x) | ...] for `count` (at most panel_width()) positions
// [count][d]; past the last position the last one is repeated.
void fourier_panel(const float* positions, Index count, Index dim, Index bands, float* rows);

}  // namespace fluidsplat::kernels

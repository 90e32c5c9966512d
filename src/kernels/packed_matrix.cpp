// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/packed_matrix.h"

#include <algorithm>

namespace fluidsplat::kernels {

void pack(const MatrixView& source, float* target) {
  pack_columns(source, 0, source.cols, target);
}

void pack_columns(const MatrixView& source, Index first_column, Index target_columns, float* target) {
  for (Index block = 0; block < source.rows; block += kPackRows) {
    float* out = target + block * target_columns + first_column * kPackRows;
    const Index valid = std::min(kPackRows, source.rows - block);
    for (Index j = 0; j < source.cols; ++j, out += kPackRows)
      for (Index i = 0; i < kPackRows; ++i) out[i] = i < valid ? source(block + i, j) : 0.0f;
  }
}

}  // namespace fluidsplat::kernels

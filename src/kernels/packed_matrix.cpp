// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/packed_matrix.h"

#include <algorithm>

namespace fluidsplat::kernels {

void pack_columns(const float* source, Index rows, Index cols, Index row_step, Index col_step, Index first,
                  Index target_cols, float* target) {
  for (Index block = 0; block < rows; block += kPackRows) {
    float* out = target + block * target_cols + first * kPackRows;
    const Index valid = std::min(kPackRows, rows - block);
    for (Index j = 0; j < cols; ++j, out += kPackRows)
      for (Index i = 0; i < kPackRows; ++i) out[i] = i < valid ? source[(block + i) * row_step + j * col_step] : 0.0f;
  }
}

}  // namespace fluidsplat::kernels

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/packed_matrix.h"

#include <algorithm>

namespace fluidsplat::kernels {

void pack_columns(const float* source, std::size_t rows, std::size_t cols, std::size_t row_step,
                  std::size_t col_step, std::size_t first, std::size_t target_cols, float* target) {
  for (std::size_t block = 0; block < rows; block += kPackRows) {
    float* out = target + block * target_cols + first * kPackRows;
    const std::size_t valid = std::min(kPackRows, rows - block);
    for (std::size_t j = 0; j < cols; ++j, out += kPackRows)
      for (std::size_t i = 0; i < kPackRows; ++i)
        out[i] = i < valid ? source[(block + i) * row_step + j * col_step] : 0.0f;
  }
}

}  // namespace fluidsplat::kernels

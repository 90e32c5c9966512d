// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/index.h"

namespace fluidsplat::kernels {

// Rows of a matrix that one register block takes together.
inline constexpr Index kPackRows = 4;
// Row strides of plain matrices are multiples of this, so that a vector of any target may overrun a row's end.
inline constexpr Index kRowAlign = 16;

constexpr Index round_up(Index n, Index multiple) {
  return (n + multiple - 1) / multiple * multiple;
}
constexpr Index padded(Index cols) {
  return round_up(cols, kRowAlign);
}

// A matrix in the order the register block reads it: [ceil(rows / 4)][cols][4], missing rows zero.
//
//   row 0  a b c        memory: a d g j | b e h k | c f i l
//   row 1  d e f
//   row 2  g h i
//   row 3  j k l
struct PackedView {
  const float* data = nullptr;
  Index rows = 0, cols = 0;
};
constexpr Index packed_size(Index rows, Index cols) {
  return round_up(rows, kPackRows) * cols;
}

// Packs the matrix whose element (i, j) is source[i * row_step + j * col_step]; swap the steps to pack a transpose.
// Columns go to `target` from column `first` of a packed matrix with `target_cols` columns.
void pack_columns(const float* source, Index rows, Index cols, Index row_step, Index col_step, Index first,
                  Index target_cols, float* target);

inline void pack(const float* source, Index rows, Index cols, Index row_step, Index col_step, float* target) {
  pack_columns(source, rows, cols, row_step, col_step, 0, cols, target);
}

}  // namespace fluidsplat::kernels

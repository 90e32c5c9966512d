// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/matrix_view.h"

namespace fluidsplat::kernels {

// Rows of a matrix that one register block takes together.
inline constexpr Index kPackRows = 4;

constexpr Index packed_size(Index rows, Index cols) {
  return round_up(rows, kPackRows) * cols;
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
  Index block_step = 0;  // floats from one block of four rows to the next

  static constexpr PackedView whole(const float* data, Index rows, Index cols) {
    return {.data = data, .rows = rows, .cols = cols, .block_step = cols * kPackRows};
  }
  // `first` must begin a block.
  constexpr PackedView some_rows(Index first, Index count) const {
    return {.data = data + first / kPackRows * block_step, .rows = count, .cols = cols, .block_step = block_step};
  }
  constexpr PackedView some_columns(Index first, Index count) const {
    return {.data = data + first * kPackRows, .rows = rows, .cols = count, .block_step = block_step};
  }
  // Where element (i, j) lies.
  constexpr Index offset(Index i, Index j) const { return i / kPackRows * block_step + j * kPackRows + i % kPackRows; }
  constexpr float operator()(Index i, Index j) const { return data[offset(i, j)]; }
};

// Packs a matrix into `target`.
void pack(const MatrixView& source, float* target);
// Packs it into the columns from `first_column` on of a packed matrix that has `target_columns`.
void pack_columns(const MatrixView& source, Index first_column, Index target_columns, float* target);

}  // namespace fluidsplat::kernels

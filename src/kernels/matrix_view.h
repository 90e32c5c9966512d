// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"

namespace fluidsplat::kernels {

// Rows of a plain matrix begin a multiple of this many floats apart, so that a vector of any target may overrun a row's
// end.
inline constexpr Index kRowAlign = 16;

constexpr Index round_up(Index n, Index multiple) {
  return (n + multiple - 1) / multiple * multiple;
}
constexpr Index padded(Index cols) {
  return round_up(cols, kRowAlign);
}

// A matrix somewhere in memory: element (i, j) is data[i * row_step + j * col_step].
struct MatrixView {
  const float* data = nullptr;
  Index rows = 0, cols = 0;
  Index row_step = 0, col_step = 1;

  // Row after row with nothing in between, as parameters are stored.
  static constexpr MatrixView dense(const float* data, Index rows, Index cols) {
    return {.data = data, .rows = rows, .cols = cols, .row_step = cols};
  }
  // Rows that begin padded(cols) floats apart, as the kernels keep what they compute.
  static constexpr MatrixView padded_rows(const float* data, Index rows, Index cols) {
    return {.data = data, .rows = rows, .cols = cols, .row_step = padded(cols)};
  }
  constexpr MatrixView transposed() const {
    return {.data = data, .rows = cols, .cols = rows, .row_step = col_step, .col_step = row_step};
  }
  constexpr MatrixView some_rows(Index first, Index count) const {
    return {.data = data + first * row_step, .rows = count, .cols = cols, .row_step = row_step, .col_step = col_step};
  }
  constexpr MatrixView some_columns(Index first, Index count) const {
    return {.data = data + first * col_step, .rows = rows, .cols = count, .row_step = row_step, .col_step = col_step};
  }
  constexpr float operator()(Index i, Index j) const { return data[i * row_step + j * col_step]; }
};

}  // namespace fluidsplat::kernels

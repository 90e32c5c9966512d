// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/parameters.h"

namespace fluidsplat::kernels {

// Gradients of parameters while they are being summed: matrices with padded rows, in the column order of tiles.  Each
// is an offset into one array, and reduce() knows where its parts belong in the flat parameter array.
class GradientLayout {
 public:
  explicit GradientLayout(const FluidSplatSpec& shape);

  struct Linear {
    Index weight = 0, bias = 0;
  };
  // query and mlp[0] are the columns that tiles multiply with; those of z stand apart.
  Linear query, token, global, attend_q, attend_k, attend_v, attend_out, ffn0, ffn1, norm1, norm2;
  std::vector<Linear> mlp, modulation;
  Linear query_context, mlp_context;  // [A][padded(D)] and [rows of mlp.0][padded(D)]; their biases are the maps' own

  Index size() const { return size_; }
  // flat = the sum of `count` such arrays, one after the other, added in their order.
  void reduce(const float* partials, Index count, float* flat, int threads) const;

 private:
  // A matrix [rows][cols] that begins at offset `partial` here and at offset `flat` in the parameters.
  struct Rectangle {
    Index rows, cols;
    Index partial, partial_stride;
    Index flat, flat_stride;
  };
  // These take room in the array and return its offset.
  Index room_for(Index rows, Index cols);
  Index vector(Index flat, Index size);
  Linear linear(const LinearParameters& p);
  Linear norm(const LinearParameters& p);
  std::vector<Rectangle> rectangles_;
  Index size_ = 0;
};

}  // namespace fluidsplat::kernels

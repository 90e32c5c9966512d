// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/parameters.h"

namespace fluidsplat::kernels {

// Gradients of parameters while they are being summed: matrices with padded rows, in the column order of tiles. Each is
// an offset into one array; `rectangles` says where its parts belong in the flat parameter array.
class GradientLayout {
 public:
  explicit GradientLayout(const FluidSplatSpec& shape);

  struct Linear {
    Index weight = 0, bias = 0;
  };
  Linear query, token, global, attend_q, attend_k, attend_v, attend_out, ffn0, ffn1, norm1, norm2;
  std::vector<Linear> mlp, modulation;
  Index query_context = 0,
        mlp_context = 0;  // the columns of z: [A][padded(D)] and [rows of mlp.0][padded(D)]

  Index size() const { return size_; }
  // flat = the sum of `count` arrays, `stride` floats apart, added in their order.
  void reduce(const float* partials, Index count, Index stride, float* flat, int threads) const;

 private:
  struct Rectangle {
    Index flat, flat_stride, partial, partial_stride, rows, cols;
  };
  Index matrix(Index rows, Index cols);
  Linear linear(const LinearParameters& p);
  Linear vectors(const LinearParameters& p);
  Index bias(const LinearParameters& p);
  std::vector<Rectangle> rectangles_;
  Index size_ = 0;
};

}  // namespace fluidsplat::kernels

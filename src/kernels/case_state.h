// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "kernels/attention_fold.h"
#include "kernels/buffer.h"
#include "kernels/packed_decoder.h"

namespace fluidsplat::kernels {

// What distinguishes one case from another.  Primitives are [K][primitive_columns] as the head's maps leave them:
// centre, sigma, rotation matrix row by row, log w, amplitude.
struct CaseInput {
  const float* context = nullptr;      // z [D]; may be null without a decoder
  const float* primitives = nullptr;   // [K][primitive_columns]
  const float* descriptors = nullptr;  // [M], normalised; read only when the decoder is modulated
};

// Everything that depends on z alone, computed once per case: column blocks of the first layers become biases,
// primitives become precisions, attention becomes a product with tokens. fold() does not allocate.
class CaseState {
 public:
  CaseState(const FluidSplatSpec& shape, bool for_gradients);
  CaseState(CaseState&&) = default;
  CaseState& operator=(CaseState&&) = default;
  void fold(const PackedDecoder& decoder, const CaseInput& input);

  // Floats of one Gaussian: centre [d], whitening matrix [d][d], log w.  With u = whitening (x - centre), l = log w -
  // |u|^2; the factor 1/2 is inside the matrix.
  static Index gaussian_size(Index dim) { return dim + dim * dim + 1; }

  float* gaussians = nullptr;   // [K][gaussian_size]
  float* amplitudes = nullptr;  // packed [C][K]
  float* query_bias = nullptr;  // [A]
  float* mlp_bias = nullptr;    // [rows of mlp.0]
  float* modulation = nullptr;  // [L][2][H]: a <- a * first + second
  AttentionFold attention;

 private:
  void arrange(Carver carver);
  FluidSplatSpec shape_;
  bool for_gradients_;
  Buffer storage_;
};

}  // namespace fluidsplat::kernels

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/buffer.h"
#include "kernels/packed_decoder.h"

namespace fluidsplat::kernels {

// What distinguishes one case from another.  Primitives are [K][primitive_columns] as the head's maps leave
// them: centre, sigma, rotation matrix row by row, log w, amplitude.
struct CaseInput {
  const float* context = nullptr;      // z [D]; may be null without a decoder
  const float* primitives = nullptr;   // [K][primitive_columns]
  const float* descriptors = nullptr;  // [M], normalised; read only when the decoder is modulated
};

// Everything that depends on z alone, computed once per case: column blocks of the first layers become
// biases, primitives become precisions, tokens become keys and values.  fold() does not allocate.
class CaseState {
 public:
  CaseState(const DecoderShape& shape, bool for_gradients);
  CaseState(CaseState&&) = default;
  CaseState& operator=(CaseState&&) = default;
  void fold(const PackedDecoder& decoder, const CaseInput& input);

  // Floats of one Gaussian: centre [d], whitening matrix [d][d], log w.  With u = whitening (x - centre),
  // l = log w - |u|^2; the factor 1/2 is inside the matrix.
  static std::size_t gaussian_size(std::size_t dim) { return dim + dim * dim + 1; }

  float* gaussians = nullptr;    // [K][gaussian_size]
  float* amplitudes = nullptr;   // packed [C][K]
  float* query_bias = nullptr;   // [A]
  float* mesh_q_bias = nullptr;  // [A]
  float* mlp_bias = nullptr;     // [rows of mlp.0]
  float* modulation = nullptr;   // [L][2][H]: a <- a * first + second

  // Per head: scores = keys Q, result = values P; keys carry the factor 1 / sqrt(head width), and head_keys
  // also log2(e), because the softmax is taken to base 2.  Where tokens are columns, each block of keys is a
  // packed matrix of its own, so that the softmax's blocks read memory from front to back.
  PackedView head_keys(std::size_t head) const { return keys_.head(head); }
  PackedView head_values(std::size_t head) const { return values_.head(head); }
  // Their transposes, present only for gradients.
  PackedView head_keys_transposed(std::size_t head) const { return keys_transposed_.head(head); }
  PackedView head_values_transposed(std::size_t head) const { return values_transposed_.head(head); }

  // Plain rows kept for the gradient of the fold itself.
  float* tokens = nullptr;      // [K][padded(T)]
  float* embedded = nullptr;    // [K + global][padded(A)]
  float* key_rows = nullptr;    // [K + global][padded(A)], unscaled
  float* value_rows = nullptr;  // likewise

 private:
  struct Heads {
    float* data = nullptr;
    std::size_t rows = 0, cols = 0;
    PackedView head(std::size_t h) const { return {data + h * packed_size(rows, cols), rows, cols}; }
  };
  void arrange(Carver carver);
  void pack_heads();
  DecoderShape shape_;
  bool for_gradients_;
  Heads keys_, values_, keys_transposed_, values_transposed_;
  Buffer storage_;
};

}  // namespace fluidsplat::kernels

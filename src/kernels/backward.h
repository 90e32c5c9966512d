// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The gradient of the fused decoder.  Activations are recomputed tile by tile, so memory does not grow with queries.
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/backward_buffers.h"
#include "kernels/forward.h"
#include "kernels/gradient_layout.h"

namespace fluidsplat::kernels {

// One case of a batch.  Upstream gradients that are null count as zero; results overwrite what was there.
struct BackwardCase {
  const CaseState* state = nullptr;  // folded from `input`, for gradients
  CaseInput input;
  QueryPoints points;
  const float* field_gradient = nullptr;      // [count][C]
  const float* primitive_gradient = nullptr;  // [count][C]: of FieldOutputs::primitive
  const float* log_mass_gradient = nullptr;   // [count]
  float* context_gradient = nullptr;          // [D]
  float* primitives_gradient = nullptr;       // [K][primitive_columns]
  float* positions_gradient = nullptr;        // [count][d], or null when not wanted
  // A training step's loss: sum of weight * (field - target)^2, whose gradient is added to the upstream one.  It is
  // known as soon as a tile's field is, so that no pass over the queries has to come before this one.
  const float* target = nullptr;  // [count][C], or null
  const float* weight = nullptr;  // [count][C]
  float* field = nullptr;         // [count][C]: receives the field; needed with a target
};

// Memory for backward(), for up to `cases` cases.
class BackwardWorkspace {
 public:
  BackwardWorkspace(const FluidSplatSpec& shape, Index cases, int threads);
  Index bytes() const { return storage_.size() * sizeof(float); }

 private:
  friend void backward(const PackedDecoder&, const BackwardCase*, Index, float*, BackwardWorkspace&);
  void arrange(const FluidSplatSpec& shape, Carver& carver);

  Index cases_;
  int threads_;
  GradientLayout layout_;
  Buffer storage_;
  std::vector<BackwardBuffers> tiles_;    // per thread
  std::vector<FoldBuffers> folds_;        // per thread
  std::vector<CaseGradients> case_sums_;  // per (case, part of its tiles)
  float* partials_ = nullptr;             // [groups][layout_.size()]
};

// Gradients of the parameters (flat, see Parameters), the contexts, the primitives and, where asked for, positions.
// Work is cut into a fixed number of groups whose sums are added in order: the same bits for any number of threads.
void backward(const PackedDecoder& decoder, const BackwardCase* cases, Index case_count, float* parameter_gradient,
              BackwardWorkspace& workspace);

// Memory for forward_with_jacobian().
class JacobianWorkspace {
 public:
  JacobianWorkspace(const FluidSplatSpec& shape, int threads);
  int threads() const { return int(tiles_.size()); }
  const BackwardBuffers& tile(int thread) const { return tiles_[thread]; }

 private:
  Buffer storage_;
  std::vector<BackwardBuffers> tiles_;
};

// forward(), and the derivative of the field by position: jacobians[i] is [count][C][d] in normalised units.  The
// decoder and the case states must have been made for gradients.
void forward_with_jacobian(const PackedDecoder& decoder, const ForwardCase* cases, float* const* jacobians,
                           Index case_count, const JacobianWorkspace& workspace);

}  // namespace fluidsplat::kernels

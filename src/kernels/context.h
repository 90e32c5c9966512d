// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of forward() and backward() work on, one struct for each kind of work.
#pragma once

#include "kernels/backward_buffers.h"
#include "kernels/case_state.h"
#include "kernels/gradient_layout.h"
#include "kernels/packed_decoder.h"
#include "kernels/tile_buffers.h"

namespace fluidsplat::kernels {

// One tile of a case's queries on its way through the decoder.
struct ForwardTile {
  const PackedDecoder& decoder;
  const CaseState& state;
  const TileBuffers& buffers;
  Index panels;  // that hold queries: fewer than kTilePanels at a case's end

  const FluidSplatSpec& shape() const { return decoder.shape(); }
};

// Where the gradients of a linear map's weight, [rows][padded(cols)], and bias are added; null: they are not wanted.
struct LinearSums {
  float *weight = nullptr, *bias = nullptr;
};

// Where gradients of weights are added while tiles and cases are gone through.
struct WeightSums {
  const GradientLayout& layout;
  float* data;  // [layout.size()]

  LinearSums at(const GradientLayout::Linear& map) const {
    return {.weight = data + map.weight, .bias = data + map.bias};
  }
};

// One tile on its way back, after the way there has filled buffers.forward.
struct BackwardTile {
  const PackedDecoder& decoder;
  const CaseState& state;
  const BackwardBuffers& buffers;
  Index panels;
  // Gradients of weights and of what the case's queries share; both null when they are not wanted.
  const WeightSums* weights = nullptr;
  const CaseGradients* shared = nullptr;
  bool positions = false;  // gradients of positions are wanted

  const FluidSplatSpec& shape() const { return decoder.shape(); }
  ForwardTile forward() const {
    return {.decoder = decoder, .state = state, .buffers = buffers.forward, .panels = panels};
  }
  LinearSums sums_of(GradientLayout::Linear GradientLayout::*map) const {
    return weights ? weights->at(weights->layout.*map) : LinearSums();
  }
};

// The way back through CaseState::fold, after all tiles of a case.
struct FoldBackward {
  const PackedDecoder& decoder;
  const CaseState& state;
  const CaseInput& input;
  const CaseGradients& shared;  // summed over the case's tiles
  const FoldBuffers& buffers;
  const WeightSums& weights;
  float* context_gradient;     // [D]
  float* primitives_gradient;  // [K][primitive_columns]

  const FluidSplatSpec& shape() const { return decoder.shape(); }
};

}  // namespace fluidsplat::kernels

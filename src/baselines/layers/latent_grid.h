// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <vector>

#include "base/index.h"
#include "model/normalization.h"

namespace fluidsplat::baselines {

// The grid that a model thinks on: nodes on a regular lattice over the data's box, from edge to edge, spaced about
// equally along all axes in space.  Tensors on it are [B, C, *shape], the last axis being the first coordinate.
class LatentGrid {
 public:
  // `nodes` along the longest side, at least two along every one.
  LatentGrid(const model::Box& domain, Index nodes);

  const std::vector<Index>& shape() const { return shape_; }  // slowest axis first
  Index dim() const { return std::ssize(shape_); }
  Index size() const;
  // Where the nodes are in the unit box, in the order of memory: [size(), d].
  torch::Tensor places() const;
  // Places of the unit box with the longest side as one, so that distances are those in space.
  torch::Tensor scaled(const torch::Tensor& positions) const;

 private:
  std::vector<Index> shape_;
  std::vector<double> sides_;  // of the longest, in the order of the coordinates
};

// Linear interpolation of [B, C, *shape] at places of the unit box [B, Q, d]: [B, Q, C].
torch::Tensor interpolate_at(const torch::Tensor& grid, const torch::Tensor& positions);
// [B, C, *shape] interpolated to another shape, edges on edges.
torch::Tensor resize(const torch::Tensor& grid, const std::vector<Index>& shape);

}  // namespace fluidsplat::baselines

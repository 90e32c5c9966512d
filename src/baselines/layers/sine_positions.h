// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <vector>

#include "base/index.h"

namespace fluidsplat::baselines {

// A place of the unit box as sines and cosines of pi f x with x in [-1, 1].  Along each axis the frequencies f rise
// evenly from 1 to half the number of cells, the finest wave that a grid of so many cells can carry.
class SinePositions {
 public:
  // cells: along each axis, in the order of the coordinates.
  SinePositions(Index bands, const std::vector<Index>& cells);

  Index width() const { return 2 * frequencies_.numel(); }
  // [..., d] -> [..., width()]
  torch::Tensor operator()(const torch::Tensor& positions) const;

 private:
  torch::Tensor frequencies_;  // [d, bands]
};

}  // namespace fluidsplat::baselines

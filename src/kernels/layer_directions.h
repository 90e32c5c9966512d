// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/buffer.h"
#include "kernels/packed_matrix.h"

namespace fluidsplat::kernels {

// Directions that a tile's last hidden layer is measured along, with a one behind it; see FieldOutputs::length.
// Constant.
class LayerDirections {
 public:
  // rows [count][width + 1]
  LayerDirections(const float* rows, Index count, Index width);
  PackedView weight() const { return PackedView::whole(storage_.data(), count_, width_); }
  const float* bias() const { return storage_.data() + packed_size(count_, width_); }
  Index bytes() const { return storage_.size() * Index{sizeof(float)}; }

 private:
  Index count_, width_;
  Buffer storage_;
};

}  // namespace fluidsplat::kernels

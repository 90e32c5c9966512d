// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layer_directions.h"

namespace fluidsplat::kernels {

LayerDirections::LayerDirections(const float* rows, Index count, Index width)
    : count_(count), width_(width), storage_(packed_size(count, width) + round_up(count, kPackRows)) {
  pack({.data = rows, .rows = count, .cols = width, .row_step = width + 1}, storage_.data());
  float* ones = storage_.data() + packed_size(count, width);
  for (Index i = 0; i < round_up(count, kPackRows); ++i) ones[i] = i < count ? rows[i * (width + 1) + width] : 0.0f;
}

}  // namespace fluidsplat::kernels

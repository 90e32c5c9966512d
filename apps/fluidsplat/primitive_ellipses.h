// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "draw/picture.h"
#include "reconstruct/primitive.h"

namespace fluidsplat::app {

// The first `most` primitives of a plane as ellipses to draw.
inline std::vector<draw::Ellipse> ellipses_of(const std::vector<reconstruct::Primitive>& primitives, std::size_t most) {
  std::vector<draw::Ellipse> out;
  for (std::size_t k = 0; k < std::min(most, primitives.size()); ++k) {
    const auto& p = primitives[k];
    out.push_back(
        {p.centre[0], p.centre[1], p.axes.row(0).norm(), p.axes.row(1).norm(), std::atan2(p.axes(0, 1), p.axes(0, 0))});
  }
  return out;
}

}  // namespace fluidsplat::app

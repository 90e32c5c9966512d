// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "sim/populations.h"
#include "sim/shape.h"

namespace fluidsplat::sim {

// A layer before the right-hand edge that brings the flow smoothly back to the free stream, so that vortices have died
// out where they would meet the edge.
class Sponge {
 public:
  // `width` cells; at the edge the populations move towards the stream by `strength` of the difference per step.
  Sponge(int nx, int width, double strength, Vec2 stream);
  void apply_row(Populations& g, int y) const;

 private:
  int begin_;
  std::vector<float> rate_;
  std::array<float, kDirections> stream_;
};

}  // namespace fluidsplat::sim

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/sponge.h"

namespace fluidsplat::sim {

Sponge::Sponge(int nx, int width, double strength, Vec2 stream) : begin_(nx - width) {
  for (int x = 0; x < width; ++x) {
    const double s = (x + 1.0) / width;
    rate_.push_back(float(strength * s * s * (3 - 2 * s)));
  }
  const Moments far{0, float(stream.x), float(stream.y)};
  for (int i = 0; i < kDirections; ++i) stream_[i] = equilibrium(i, far);
}

void Sponge::apply_row(Populations& g, int y) const {
  const int n = int(rate_.size());
  const float* __restrict rate = rate_.data();
  for (int i = 0; i < kDirections; ++i) {
    float* __restrict row = g.plane(i) + g.index(begin_, y);
    const float target = stream_[i];
    for (int x = 0; x < n; ++x) row[x] += rate[x] * (target - row[x]);
  }
}

}  // namespace fluidsplat::sim

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_channels.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace fluidsplat::benchmarks {
namespace {

constexpr const char* kExpected =
    "FlowBench's LDC_3D_X has one that is constant in a case (the Reynolds number), one of 0 and 255 (the mask) and the "
    "signed distance";

bool constant(const std::vector<double>& values) {
  return std::ranges::all_of(values, [&](double v) { return v == values.front(); });
}

bool masklike(const std::vector<double>& values) {
  const double high = *std::ranges::max_element(values);
  return (high == 0 || high == 1 || high == 255) &&
         std::ranges::all_of(values, [&](double v) { return v == 0 || v == high; });
}

const char* looks(const std::vector<double>& values) {
  return masklike(values) ? "like a mask" : constant(values) ? "constant" : "like a distance";
}

// The value that most cells along the walls have: 0 or `high`.
double value_at_walls(const std::vector<double>& mask, Index n, double high) {
  Index highs = 0, all = 0;
  const auto edge = [n](Index i) { return i == 0 || i == n - 1; };
  for (Index z = 0, cell = 0; z < n; ++z)
    for (Index y = 0; y < n; ++y)
      for (Index x = 0; x < n; ++x, ++cell) {
        if (!edge(x) && !edge(y) && !edge(z)) continue;
        ++all;
        highs += mask[cell] == high;
      }
  return 2 * highs > all ? high : 0;
}

// The mean over cells that are fluid, or over those that are not; 0 where there are none.
double mean_where(const Ldc3dGeometry& g, bool fluid) {
  double sum = 0, count = 0;
  for (Index i = 0; i < std::ssize(g.fluid); ++i)
    if (bool(g.fluid[i]) == fluid) sum += g.distance[i], ++count;
  return count > 0 ? sum / count : 0;
}

}  // namespace

Ldc3dChannels find_ldc3d_channels(const Ldc3dInputs& inputs, const std::string& where) {
  std::array<int, 3> found = {-1, -1, -1};  // Reynolds number, distance, mask
  for (int c = 0; c < 3; ++c) {
    // An empty cavity's mask is constant as well, but no Reynolds number is 0, 1 or 255 in these data.
    const int kind = masklike(inputs[c]) ? 2 : constant(inputs[c]) ? 0 : 1;
    if (found[kind] >= 0)
      fail("{}: cannot tell its channels apart: channel {} looks {}, channel {} {}, channel {} {}; {}", where, 0,
           looks(inputs[0]), 1, looks(inputs[1]), 2, looks(inputs[2]), kExpected);
    found[kind] = c;
  }
  return {found[0], found[1], found[2]};
}

Ldc3dGeometry read_ldc3d_geometry(const Ldc3dInputs& inputs, const Ldc3dChannels& channels, Index n,
                                  const std::string& where) {
  const auto& mask = inputs[channels.mask];
  Ldc3dGeometry g;
  g.reynolds = inputs[channels.reynolds].front();
  if (!constant(inputs[channels.reynolds]) || !masklike(mask))
    fail("{}: its channels are not in the first case's order: channel {} looks {}, channel {} {}; {}", where,
         channels.reynolds, looks(inputs[channels.reynolds]), channels.mask, looks(mask), kExpected);
  if (!(g.reynolds > 0) || !std::isfinite(g.reynolds))
    fail("{}: the Reynolds number (channel {}) is {}", where, channels.reynolds, g.reynolds);
  const double fluid = value_at_walls(mask, n, *std::ranges::max_element(mask));
  g.fluid.resize(mask.size());
  std::ranges::transform(mask, g.fluid.begin(), [fluid](double v) { return std::uint8_t(v == fluid); });
  g.distance = inputs[channels.distance];
  const bool all_fluid = std::ranges::all_of(g.fluid, [](auto f) { return f != 0; });
  if (mean_where(g, true) < (all_fluid ? 0 : mean_where(g, false)))
    for (double& d : g.distance) d = -d;
  return g;
}

}  // namespace fluidsplat::benchmarks

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/index.h"

// Published velocities on the centre lines of lid-driven cavities, for tests.  The side is 1, the lid at y = 1 moves
// along x with speed 1.
namespace fluidsplat::sim::d3 {

struct CentreLine {
  std::vector<double> at, value;
};

// Ghia, Ghia and Shin, J. Comput. Phys. 48 (1982), tables I and II: u(y) at x = 1/2, v(x) at y = 1/2, in 2-D.
inline const CentreLine kGhiaU100 = {
    {0.0547, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5000, 0.6172, 0.7344, 0.8516, 0.9531, 0.9688},
    {-0.03717, -0.04775, -0.06434, -0.10150, -0.15662, -0.21090, -0.20581, -0.13641, 0.00332, 0.23151, 0.68717,
     0.78871}};
inline const CentreLine kGhiaV100 = {
    {0.0625, 0.0781, 0.0938, 0.1563, 0.2266, 0.5000, 0.8047, 0.8594, 0.9453, 0.9609},
    {0.09233, 0.10890, 0.12317, 0.16077, 0.17507, 0.05454, -0.24533, -0.22445, -0.10313, -0.07391}};
inline const CentreLine kGhiaU1000 = {
    {0.0547, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5000, 0.6172, 0.7344, 0.8516, 0.9531, 0.9688},
    {-0.18109, -0.22220, -0.29730, -0.38289, -0.27805, -0.10648, -0.06080, 0.05702, 0.18719, 0.33304, 0.46604,
     0.57492}};
inline const CentreLine kGhiaV1000 = {
    {0.0625, 0.0781, 0.0938, 0.1563, 0.2266, 0.5000, 0.8047, 0.8594, 0.9453, 0.9609},
    {0.27485, 0.30353, 0.32627, 0.37095, 0.33075, 0.02426, -0.31966, -0.42665, -0.39188, -0.27669}};
// Albensoeder and Kuhlmann, J. Comput. Phys. 206 (2005), tables 5 and 6, the cube with rigid walls at Reynolds number
// 1,000, turned into this frame: u(y) at x = z = 1/2, v(x) at y = z = 1/2.
inline const CentreLine kCubeU1000 = {
    {0.0547, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5000, 0.6172, 0.7344, 0.8516, 0.9531, 0.9688},
    {-0.20623, -0.23696, -0.27293, -0.25160, -0.10999, -0.00612, 0.00802, 0.03905, 0.07334, 0.12183, 0.33171, 0.48443}};
inline const CentreLine kCubeV1000 = {
    {0.0625, 0.0781, 0.0938, 0.1563, 0.2266, 0.5000, 0.8047, 0.8594, 0.9063, 0.9453, 0.9609},
    {0.21738, 0.23503, 0.24407, 0.22924, 0.17580, 0.03674, -0.15223, -0.31117, -0.43423, -0.33511, -0.24095}};

// Values between cell centres (i + 1/2) / n and the walls, by cubics.
inline std::vector<double> interpolated(const std::vector<double>& places, Index n,
                                        const std::function<double(Index)>& cell, double low_wall, double high_wall) {
  const auto place = [n](Index i) { return i < 0 ? 0.0 : i >= n ? 1.0 : (double(i) + 0.5) / double(n); };
  const auto value = [&](Index i) { return i < 0 ? low_wall : i >= n ? high_wall : cell(i); };
  std::vector<double> result;
  for (const double at : places) {
    const Index first = std::clamp<Index>(Index(std::floor(at * double(n) - 0.5)) - 1, -1, n - 3);
    double sum = 0;
    for (Index i = first; i < first + 4; ++i) {
      double basis = 1;
      for (Index j = first; j < first + 4; ++j)
        if (j != i) basis *= (at - place(j)) / (place(i) - place(j));
      sum += basis * value(i);
    }
    result.push_back(sum);
  }
  return result;
}

// The largest difference from values at cell centres.
inline double worst_difference(const CentreLine& line, Index n, const std::function<double(Index)>& cell,
                               double low_wall, double high_wall) {
  const auto have = interpolated(line.at, n, cell, low_wall, high_wall);
  double worst = 0;
  for (Index k = 0; k < std::ssize(have); ++k) worst = std::max(worst, std::abs(have[k] - line.value[k]));
  return worst;
}

}  // namespace fluidsplat::sim::d3

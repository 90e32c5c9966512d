// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/flatness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace fluidsplat::mesh {
namespace {

// Extents below this share of the largest are round-off of a flat mesh.
constexpr double kFlat = 1e-6;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double extent() const { return high > low ? high - low : 0; }
};

std::array<Range, 3> ranges_of(const std::vector<double>& positions) {
  std::array<Range, 3> out;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!std::isfinite(positions[i])) continue;
    auto& range = out[i % 3];
    range.low = std::min(range.low, positions[i]);
    range.high = std::max(range.high, positions[i]);
  }
  return out;
}

double largest_of(const std::array<Range, 3>& ranges) {
  return std::max({ranges[0].extent(), ranges[1].extent(), ranges[2].extent()});
}

// Finds for points of one plane those opposite in another.  Places are compared in squares of a small size, so that
// round-off between the planes does not matter.
class Opposite {
 public:
  Opposite(const std::vector<double>& positions, int across, double size)
      : positions_(positions), first_((across + 1) % 3), second_((across + 2) % 3), size_(size) {}

  void add(Index point) { points_.emplace(key(square(point, first_), square(point, second_)), point); }

  // The nearest one, which is then taken.
  std::optional<Index> take(Index point) {
    auto nearest = points_.end();
    double best = size_;
    for (Index i = -1; i <= 1; ++i)
      for (Index j = -1; j <= 1; ++j) {
        const auto [from, to] = points_.equal_range(key(square(point, first_) + i, square(point, second_) + j));
        for (auto it = from; it != to; ++it)
          if (const double d = distance(point, it->second); d <= best) best = d, nearest = it;
      }
    if (nearest == points_.end()) return {};
    const Index out = nearest->second;
    points_.erase(nearest);
    return out;
  }

 private:
  double at(Index point, int axis) const { return positions_[3 * point + axis]; }
  Index square(Index point, int axis) const { return std::llround(at(point, axis) / size_); }
  double distance(Index a, Index b) const {
    return std::hypot(at(a, first_) - at(b, first_), at(a, second_) - at(b, second_));
  }
  static std::uint64_t key(Index i, Index j) { return std::uint64_t(i) * 0x9e3779b97f4a7c15u ^ std::uint64_t(j); }

  const std::vector<double>& positions_;
  int first_, second_;
  double size_;
  std::unordered_multimap<std::uint64_t, Index> points_;
};

// Two planes across an axis in which every point has one opposite.
std::optional<Flatness> one_layer(const std::vector<double>& positions, int across, const Range& range,
                                  double largest) {
  const Index n = std::ssize(positions) / 3;
  const double tolerance = 1e-4 * range.extent();
  std::vector<Index> low, high;
  for (Index i = 0; i < n; ++i) {
    const double at = positions[3 * i + across];
    if (std::abs(at - range.low) <= tolerance)
      low.push_back(i);
    else if (std::abs(at - range.high) <= tolerance)
      high.push_back(i);
    else
      return {};
  }
  if (low.size() != high.size()) return {};
  Opposite opposite(positions, across, 1e-5 * largest);
  for (auto i : high) opposite.add(i);
  Flatness out;
  for (auto i : low) {
    const auto twin = opposite.take(i);
    if (!twin) return {};
    out.twins.push_back(*twin);
  }
  out.rows = std::move(low);
  for (int a = 0; a < 3; ++a)
    if (a != across) out.axes.push_back(a);
  return out;
}

}  // namespace

std::optional<int> Flatness::across() const {
  if (axes.size() != 2) return {};
  return 3 - axes[0] - axes[1];
}

std::vector<int> extended_axes(const std::vector<double>& positions) {
  const auto ranges = ranges_of(positions);
  std::vector<int> out;
  for (int a = 0; a < 3; ++a)
    if (ranges[a].extent() > kFlat * largest_of(ranges)) out.push_back(a);
  return out;
}

Flatness flatness_of(const std::vector<double>& positions) {
  Flatness out;
  out.axes = extended_axes(positions);
  if (out.axes.size() < 3 || positions.size() < 8 * 3) return out;
  const auto ranges = ranges_of(positions);
  // The last axis first: it is across in nearly all files.
  for (int a = 2; a >= 0; --a)
    if (auto layer = one_layer(positions, a, ranges[a], largest_of(ranges))) return *layer;
  return out;
}

}  // namespace fluidsplat::mesh

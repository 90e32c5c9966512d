// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/wall.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

// A step this many times the points' own spacing leaves the body.
constexpr double kJump = 4;
// How much longer a step seems when the normals are opposite.
constexpr double kTurn = 20;

double distance(const SurfaceView& wall, Index i, Index j) {
  const auto at = [&](Index s) { return wall.position(s); };
  return (at(i) - at(j)).cast<double>().norm();
}

// The distance along the wall, at right angles to the normals there: points that zigzag about a wall, as the pixels
// next to it do, do not make it longer.
double length_along(const SurfaceView& wall, Index i, Index j) {
  const double straight = distance(wall, i, j);
  if (!wall.has_normals()) return straight;
  const Eigen::RowVectorXd normal = (wall.normal(i) + wall.normal(j)).cast<double>();
  // At a sharp edge the normals cancel and there is no direction along the wall.
  if (normal.norm() < 0.2) return straight;
  const auto at = [&](Index s) { return wall.position(s); };
  const double across = (at(j) - at(i)).cast<double>().dot(normal / normal.norm());
  return std::sqrt(std::max(0.0, straight * straight - across * across));
}

// Distance, made longer where the normals differ.
double step_cost(const SurfaceView& wall, Index i, Index j) {
  const double length = distance(wall, i, j);
  if (!wall.has_normals()) return length;
  return length * (1 + kTurn * 0.5 * (1 - double(wall.normal(i).dot(wall.normal(j)))));
}

// The unvisited point that is cheapest to step to, or -1.
Index nearest_unvisited(const SurfaceView& wall, Index from, const std::vector<bool>& visited) {
  Index best = -1;
  double cost = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < visited.size(); ++j) {
    if (visited[j]) continue;
    const double c = step_cost(wall, from, j);
    if (c < cost) cost = c, best = static_cast<Index>(j);
  }
  return best;
}

double signed_area(const SurfaceView& wall, const std::vector<Index>& loop) {
  const auto at = [&](std::size_t i) { return wall.position(loop[i % loop.size()]); };
  double area = 0;
  for (std::size_t i = 0; i < loop.size(); ++i)
    area += 0.5 * (double(at(i)[0]) * at(i + 1)[1] - double(at(i + 1)[0]) * at(i)[1]);
  return area;
}

// The surface point farthest along x; of several, the one nearest to the wall's middle height.
Index rearmost(const SurfaceView& wall) {
  const auto at = [&](Index s) { return wall.position(s); };
  float middle = 0;
  for (Index s = 0; s < wall.size(); ++s) middle += at(s)[1] / float(wall.size());
  Index best = 0;
  for (Index s = 1; s < wall.size(); ++s)
    if (at(s)[0] > at(best)[0] ||
        (at(s)[0] == at(best)[0] && std::abs(at(s)[1] - middle) < std::abs(at(best)[1] - middle)))
      best = s;
  return best;
}

// Each point's distance to its neighbour.  Spacing may differ a hundredfold along one wall.
std::vector<double> spacings(const SurfaceView& wall) {
  std::vector<double> out;
  std::vector<bool> self(wall.size(), false);
  for (Index i = 0; i < wall.size(); ++i) {
    self[i] = true;
    out.push_back(distance(wall, i, nearest_unvisited(wall, i, self)));
    self[i] = false;
  }
  return out;
}

}  // namespace

std::vector<Index> thin_wall(const SurfaceView& wall, Index most) {
  const auto count = wall.size(), kept = std::min(most, count);
  std::vector<Index> out;
  for (Index i = 0; i < kept; ++i) out.push_back(i * count / kept);
  return out;
}

std::vector<WallCurve> wall_curves(const SurfaceView& wall, Index start) {
  std::vector<WallCurve> curves;
  if (wall.size() < 2) return curves;
  const auto spacing = spacings(wall);
  const auto neighbours = [&](Index i, Index j) {
    return distance(wall, i, j) <= kJump * std::max(spacing[i], spacing[j]);
  };
  std::vector<bool> visited(wall.size(), false);
  const auto extend = [&](std::vector<Index>& order) {
    for (;;) {
      const auto next = nearest_unvisited(wall, order.back(), visited);
      if (next < 0 || !neighbours(order.back(), next)) return;
      visited[next] = true;
      order.push_back(next);
    }
  };
  for (std::size_t i = 0; i < visited.size(); ++i) {
    const auto first = (i + static_cast<std::size_t>(start)) % visited.size();
    if (visited[first]) continue;
    visited[first] = true;
    WallCurve curve;
    curve.order = {static_cast<Index>(first)};
    extend(curve.order);
    curve.closed = curve.order.size() > 2 && neighbours(curve.order.back(), curve.order.front());
    if (!curve.closed) {
      // The walk began in the middle of an open curve: the other way is still to go.
      std::reverse(curve.order.begin(), curve.order.end());
      extend(curve.order);
    } else if (signed_area(wall, curve.order) < 0) {
      std::reverse(curve.order.begin() + 1, curve.order.end());
    }
    curve.arclength = {0.0};
    for (std::size_t i = 1; i < curve.order.size(); ++i)
      curve.arclength.push_back(curve.arclength.back() + length_along(wall, curve.order[i - 1], curve.order[i]));
    curve.length = curve.arclength.back();
    if (curve.closed) curve.length += length_along(wall, curve.order.back(), curve.order.front());
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<double> wall_lengths(const SurfaceView& wall) {
  std::vector<double> out(wall.size(), 0.0);
  for (const auto& curve : wall_curves(wall)) {
    const auto n = curve.order.size();
    for (std::size_t i = 0; i + (curve.closed ? 0 : 1) < n; ++i) {
      const auto a = curve.order[i], b = curve.order[(i + 1) % n];
      const double half = 0.5 * length_along(wall, a, b);
      out[a] += half;
      out[b] += half;
    }
  }
  return out;
}

WallWalk walk_wall(const SurfaceView& wall) {
  if (wall.dim() != 2)
    fail("places along the wall need 2-D data, these are {}-D; use random-wall or positions", wall.dim());
  if (wall.empty())
    fail("places along the wall are asked for, but the data have no wall; import them with surface = ...");
  if (wall.size() == 1) return {{wall.place(0)}, {0.0}, 0};
  WallWalk out;
  for (const auto& curve : wall_curves(wall, rearmost(wall))) {
    for (std::size_t i = 0; i < curve.order.size(); ++i) {
      out.points.push_back(wall.place(curve.order[i]));
      out.distance.push_back(out.perimeter + curve.arclength[i]);
    }
    out.perimeter += curve.length;
  }
  return out;
}

Index wall_point(const WallWalk& walk, double fraction) {
  if (!(fraction >= 0 && fraction <= 1)) fail("the arclength {} is not in 0 to 1", fraction);
  const double wanted = fraction * walk.perimeter;
  std::size_t best = 0;
  for (std::size_t i = 1; i < walk.points.size(); ++i)
    if (std::abs(walk.distance[i] - wanted) < std::abs(walk.distance[best] - wanted)) best = i;
  // The end of a closed walk is its start.
  if (walk.perimeter - wanted < std::abs(walk.distance[best] - wanted)) best = 0;
  return walk.points[best];
}

}  // namespace fluidsplat::field

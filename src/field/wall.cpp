// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/wall.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fluidsplat::field {
namespace {

// A step this many times the points' own spacing leaves the body.
constexpr double kJump = 4;
// How much longer a step seems when the normals are opposite.
constexpr double kTurn = 20;

double distance(const Mesh& mesh, std::int64_t i, std::int64_t j) {
  const auto at = [&](std::int64_t s) { return mesh.points.row(mesh.surface[static_cast<std::size_t>(s)]); };
  return (at(i) - at(j)).cast<double>().norm();
}

// The distance along the wall, at right angles to the normals there: points that zigzag about a wall, as the
// pixels next to it do, do not make it longer.
double length_along(const Mesh& mesh, std::int64_t i, std::int64_t j) {
  const double straight = distance(mesh, i, j);
  if (mesh.normals.size() == 0) return straight;
  const Eigen::RowVectorXd normal = (mesh.normals.row(i) + mesh.normals.row(j)).cast<double>();
  // At a sharp edge the normals cancel and there is no direction along the wall.
  if (normal.norm() < 0.2) return straight;
  const auto at = [&](std::int64_t s) { return mesh.points.row(mesh.surface[static_cast<std::size_t>(s)]); };
  const double across = (at(j) - at(i)).cast<double>().dot(normal / normal.norm());
  return std::sqrt(std::max(0.0, straight * straight - across * across));
}

// Distance, made longer where the normals differ.
double step_cost(const Mesh& mesh, std::int64_t i, std::int64_t j) {
  const double length = distance(mesh, i, j);
  if (mesh.normals.size() == 0) return length;
  return length * (1 + kTurn * 0.5 * (1 - static_cast<double>(mesh.normals.row(i).dot(mesh.normals.row(j)))));
}

// The unvisited point that is cheapest to step to, or -1.
std::int64_t nearest_unvisited(const Mesh& mesh, std::int64_t from, const std::vector<bool>& visited) {
  std::int64_t best = -1;
  double cost = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < visited.size(); ++j) {
    if (visited[j]) continue;
    const double c = step_cost(mesh, from, static_cast<std::int64_t>(j));
    if (c < cost) cost = c, best = static_cast<std::int64_t>(j);
  }
  return best;
}

// Each point's distance to its neighbour.  Spacing may differ a hundredfold along one wall.
std::vector<double> spacings(const Mesh& mesh) {
  std::vector<double> out;
  std::vector<bool> self(mesh.surface.size(), false);
  for (std::size_t i = 0; i < mesh.surface.size(); ++i) {
    self[i] = true;
    const auto index = static_cast<std::int64_t>(i);
    out.push_back(distance(mesh, index, nearest_unvisited(mesh, index, self)));
    self[i] = false;
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> thin_wall(const Mesh& mesh, std::int64_t most) {
  const auto count = static_cast<std::int64_t>(mesh.surface.size()), kept = std::min(most, count);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < kept; ++i) out.push_back(i * count / kept);
  return out;
}

std::vector<WallCurve> walk_wall(const Mesh& mesh) {
  std::vector<WallCurve> curves;
  if (mesh.surface.size() < 2) return curves;
  const auto spacing = spacings(mesh);
  const auto neighbours = [&](std::int64_t i, std::int64_t j) {
    return distance(mesh, i, j) <=
           kJump * std::max(spacing[static_cast<std::size_t>(i)], spacing[static_cast<std::size_t>(j)]);
  };
  std::vector<bool> visited(mesh.surface.size(), false);
  const auto extend = [&](std::vector<std::int64_t>& order) {
    for (;;) {
      const auto next = nearest_unvisited(mesh, order.back(), visited);
      if (next < 0 || !neighbours(order.back(), next)) return;
      visited[static_cast<std::size_t>(next)] = true;
      order.push_back(next);
    }
  };
  for (std::size_t first = 0; first < visited.size(); ++first) {
    if (visited[first]) continue;
    visited[first] = true;
    WallCurve curve;
    curve.order = {static_cast<std::int64_t>(first)};
    extend(curve.order);
    curve.closed = curve.order.size() > 2 && neighbours(curve.order.back(), curve.order.front());
    if (!curve.closed) {
      // The walk began in the middle of an open curve: the other way is still to go.
      std::reverse(curve.order.begin(), curve.order.end());
      extend(curve.order);
    }
    curve.arclength = {0.0};
    for (std::size_t i = 1; i < curve.order.size(); ++i)
      curve.arclength.push_back(curve.arclength.back() +
                                length_along(mesh, curve.order[i - 1], curve.order[i]));
    curve.length = curve.arclength.back();
    if (curve.closed) curve.length += length_along(mesh, curve.order.back(), curve.order.front());
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<double> wall_lengths(const Mesh& mesh) {
  std::vector<double> out(mesh.surface.size(), 0.0);
  for (const auto& curve : walk_wall(mesh)) {
    const auto n = curve.order.size();
    for (std::size_t i = 0; i + (curve.closed ? 0 : 1) < n; ++i) {
      const auto a = curve.order[i], b = curve.order[(i + 1) % n];
      const double half = 0.5 * length_along(mesh, a, b);
      out[static_cast<std::size_t>(a)] += half;
      out[static_cast<std::size_t>(b)] += half;
    }
  }
  return out;
}

}  // namespace fluidsplat::field

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/wall.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

// A step this many times the usual one leads to another body.
constexpr double kJump = 6;

// From each point to the nearest one left.  Normals keep the walk on its side of a thin body: a step to where
// the wall looks the other way costs up to three times its length.
std::vector<std::size_t> chain(const Mesh& mesh, std::size_t start) {
  const auto n = mesh.surface.size();
  const bool with_normals = mesh.normals.rows() == static_cast<Eigen::Index>(n);
  std::vector<std::size_t> order = {start}, left;
  for (std::size_t i = 0; i < n; ++i)
    if (i != start) left.push_back(i);
  while (!left.empty()) {
    const auto here = order.back();
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < left.size(); ++k) {
      double cost = (mesh.points.row(mesh.surface[left[k]]) - mesh.points.row(mesh.surface[here])).norm();
      if (with_normals)
        cost *= 2 - mesh.normals.row(static_cast<Eigen::Index>(left[k]))
                        .dot(mesh.normals.row(static_cast<Eigen::Index>(here)));
      if (cost < least) least = cost, best = k;
    }
    order.push_back(left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return order;
}

double signed_area(const Mesh& mesh, const std::vector<std::int64_t>& loop) {
  double area = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const auto a = mesh.points.row(loop[i]), b = mesh.points.row(loop[(i + 1) % loop.size()]);
    area += 0.5 * (static_cast<double>(a[0]) * b[1] - static_cast<double>(b[0]) * a[1]);
  }
  return area;
}

}  // namespace

WallWalk walk_wall(const Mesh& mesh) {
  if (mesh.points.cols() != 2)
    fail("places along the wall need 2-D data, these are {}-D; use random-wall or positions",
         mesh.points.cols());
  if (mesh.surface.empty())
    fail("places along the wall are asked for, but the data have no wall; import them with surface = ...");
  const auto n = mesh.surface.size();
  const auto point = [&](std::size_t i) { return mesh.points.row(mesh.surface[i]); };
  float middle = 0;
  for (std::size_t i = 0; i < n; ++i) middle += point(i)[1] / static_cast<float>(n);
  std::size_t start = 0;
  for (std::size_t i = 1; i < n; ++i)
    if (point(i)[0] > point(start)[0] ||
        (point(i)[0] == point(start)[0] &&
         std::abs(point(i)[1] - middle) < std::abs(point(start)[1] - middle)))
      start = i;

  const auto order = chain(mesh, start);
  std::vector<double> steps;
  for (std::size_t i = 0; i + 1 < n; ++i) steps.push_back((point(order[i + 1]) - point(order[i])).norm());
  auto sorted = steps;
  std::sort(sorted.begin(), sorted.end());
  const double far = n > 1 ? kJump * sorted[sorted.size() / 2] : 0;

  WallWalk out;
  for (std::size_t first = 0; first < n;) {
    std::size_t last = first;  // one body: first to last
    while (last + 1 < n && steps[last] <= far) ++last;
    std::vector<std::int64_t> body;
    for (std::size_t i = first; i <= last; ++i) body.push_back(mesh.surface[order[i]]);
    const double closing = (mesh.points.row(body.back()) - mesh.points.row(body.front())).norm();
    const bool closed = body.size() > 2 && closing <= far;
    if (closed && signed_area(mesh, body) < 0) std::reverse(body.begin() + 1, body.end());
    double walked = out.perimeter;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (i > 0) walked += (mesh.points.row(body[i]) - mesh.points.row(body[i - 1])).norm();
      out.points.push_back(body[i]);
      out.distance.push_back(walked);
    }
    if (closed) walked += (mesh.points.row(body.back()) - mesh.points.row(body.front())).norm();
    out.perimeter = walked;
    first = last + 1;
  }
  return out;
}

std::int64_t wall_point(const WallWalk& walk, double fraction) {
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

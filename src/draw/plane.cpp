// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/plane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>
#include <utility>

#include "field/surface_view.h"

namespace fluidsplat::draw {
namespace {

// Adapts a list of 2-D points to nanoflann.
struct PlanarPoints {
  std::vector<std::array<double, 2>> xy;
  std::size_t kdtree_get_point_count() const { return xy.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return xy[i][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, PlanarPoints>, PlanarPoints, 2>;

// How far apart the cells of an evenly spaced grid are along a coordinate; 0 for other meshes.
double cell_size(const field::Mesh& mesh, Index axis) {
  const auto dim = mesh.points.cols();
  if (std::ssize(mesh.grid_shape) != dim) return 0;
  const auto x = mesh.points.col(axis);
  const Index count = mesh.grid_shape[dim - 1 - axis];
  const double low = x.minCoeff(), size = count > 1 ? (x.maxCoeff() - low) / double(count - 1) : 0;
  if (!(size > 0)) return 0;
  for (Index i = 0; i < x.size(); ++i)
    if (const double cell = (x[i] - low) / size; std::abs(cell - std::round(cell)) > 0.05) return 0;
  return size;
}

// The points a picture shows: all in 2-D, in 3-D the grid's layer or else the points nearest to the slice.
std::vector<Index> shown_points(const field::Mesh& mesh, const Slice& slice) {
  std::vector<Index> out;
  if (mesh.points.cols() < 3) {
    for (Index i = 0; i < mesh.points.rows(); ++i) out.push_back(i);
    return out;
  }
  const auto z = mesh.points.col(slice.normal);
  const float extent = z.maxCoeff() - z.minCoeff(), middle = z.minCoeff() + float(slice.at) * extent;
  if (const double size = cell_size(mesh, slice.normal); size > 0) {
    Index nearest = 0;
    (z.array() - middle).abs().minCoeff(&nearest);
    for (Index i = 0; i < z.size(); ++i)
      if (std::abs(z[i] - z[nearest]) < 0.25 * size) out.push_back(i);
    return out;
  }
  for (float band = extent / 128; out.size() < 64 && band <= extent; band *= 2) {
    out.clear();
    for (Index i = 0; i < z.size(); ++i)
      if (std::abs(z[i] - middle) <= band) out.push_back(i);
  }
  return out;
}

// The distance of so many points that fill the frame evenly.
double planar_spacing(const field::Mesh& mesh, const Frame& frame, Index count) {
  const auto x = mesh.points.col(frame.across), y = mesh.points.col(frame.up);
  return std::sqrt(
      std::max(1e-30, double(x.maxCoeff() - x.minCoeff()) * (y.maxCoeff() - y.minCoeff()) / double(count)));
}

// How far each scattered point speaks for its surroundings: a little more than the distance to its third neighbour, or
// to its eighth where a wall says what is inside a body, so that flat layers along it have no gaps.
std::vector<double> local_reach(const Tree& tree, const PlanarPoints& points, bool has_wall) {
  const std::size_t neighbours = has_wall ? 9 : 4;  // itself among them
  std::vector<std::uint32_t> index(neighbours);
  std::vector<double> out, squared(neighbours);
  for (const auto& xy : points.xy) {
    const auto found = tree.knnSearch(xy.data(), neighbours, index.data(), squared.data());
    out.push_back(1.5 * std::sqrt(squared[found - 1]));
  }
  return out;
}

// Axes of the picture: those that are left, in order.
Frame frame_of(const field::Mesh& mesh, const Slice& slice, Index shown) {
  const bool in_space = mesh.points.cols() == 3;
  Frame out;
  out.across = in_space && slice.normal == 0 ? 1 : 0;
  out.up = in_space && slice.normal != 2 ? 2 : 1;
  const auto x = mesh.points.col(out.across), y = mesh.points.col(out.up);
  const double spacing = planar_spacing(mesh, out, shown);
  const double dx = cell_size(mesh, out.across), dy = cell_size(mesh, out.up);
  // Half a spacing of margin: a grid's outer cells are shown whole.
  out.left = x.minCoeff() - 0.5 * (dx > 0 ? dx : spacing);
  out.right = x.maxCoeff() + 0.5 * (dx > 0 ? dx : spacing);
  out.bottom = y.minCoeff() - 0.5 * (dy > 0 ? dy : spacing);
  out.top = y.maxCoeff() + 0.5 * (dy > 0 ? dy : spacing);
  return out;
}

}  // namespace

struct Plane::Points {
  explicit Points(std::vector<std::array<double, 2>> places) : points{std::move(places)}, tree(2, points) {}
  PlanarPoints points;
  Tree tree;
};

Plane::Plane(const field::Mesh& mesh, const Slice& slice)
    : is_slice_(mesh.points.cols() == 3), shown_(shown_points(mesh, slice)) {
  frame_ = frame_of(mesh, slice, std::ssize(shown_));
  std::vector<std::array<double, 2>> places;
  for (const Index i : shown_) places.push_back({mesh.points(i, frame_.across), mesh.points(i, frame_.up)});
  points_ = std::make_unique<Points>(std::exchange(places, {}));
  if (const field::SurfaceView wall(mesh); !mesh.is_grid() && !is_slice_ && !wall.empty() && wall.has_normals()) {
    for (Index s = 0; s < wall.size(); ++s) {
      places.push_back({wall.position(s)[0], wall.position(s)[1]});
      normals_.push_back({wall.normal(s)[0], wall.normal(s)[1]});
    }
    wall_ = std::make_unique<Points>(std::move(places));
  }
  const double dx = cell_size(mesh, frame_.across), dy = cell_size(mesh, frame_.up);
  if (dx > 0 && dy > 0) cell_ = {dx, dy};
  // A grid that is not evenly spaced has no cells here, but points that are spread like one.
  reach_ = mesh.is_grid() ? std::vector<double>(shown_.size(), 0.75 * planar_spacing(mesh, frame_, std::ssize(shown_)))
                          : local_reach(points_->tree, points_->points, wall_ != nullptr);
}

// Behind the nearest wall point, and no point of the fluid nearer: beyond a sharp edge that comes from both sides.
bool Plane::is_inside_body(double x, double y, double nearest_squared) const {
  if (!wall_) return false;
  const double query[2] = {x, y};
  std::uint32_t nearest = 0;
  double squared = 0;
  wall_->tree.knnSearch(query, 1, &nearest, &squared);
  if (nearest_squared < (1 - 1e-6) * squared) return false;
  const auto& at = wall_->points.xy[nearest];
  const auto& normal = normals_[nearest];
  return (x - at[0]) * normal[0] + (y - at[1]) * normal[1] < 0;
}

Plane::~Plane() = default;

Index Plane::nearest_to(double x, double y) const {
  const auto& xy = points_->points.xy;
  double query[2] = {x, y};
  // The nearest of a grid's points is the one whose cell this is only if cells are as wide as high.
  if (cell_)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double first = xy.front()[axis], size = (*cell_)[axis];
      query[axis] = first + size * std::round((query[axis] - first) / size);
    }
  std::uint32_t nearest = 0;
  double squared = 0;
  points_->tree.knnSearch(query, 1, &nearest, &squared);
  const bool speaks = cell_ ? std::abs(query[0] - xy[nearest][0]) <= 0.501 * (*cell_)[0] &&
                                  std::abs(query[1] - xy[nearest][1]) <= 0.501 * (*cell_)[1]
                            : squared <= reach_[nearest] * reach_[nearest] && !is_inside_body(x, y, squared);
  return speaks ? Index(nearest) : -1;
}

Index Plane::point_at(double x, double y) const {
  const Index nearest = nearest_to(x, y);
  return nearest < 0 ? -1 : shown_[nearest];
}

double Plane::interpolate(const field::Vector& values, double x, double y) const {
  if (nearest_to(x, y) < 0) return std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t kNeighbours = 4;
  std::uint32_t index[kNeighbours] = {};
  double squared[kNeighbours] = {};
  const double query[2] = {x, y};
  const auto found = points_->tree.knnSearch(query, kNeighbours, index, squared);
  double sum = 0, weights = 0;
  for (std::size_t k = 0; k < found; ++k) {
    if (squared[k] == 0) return values[shown_[index[k]]];
    sum += values[shown_[index[k]]] / squared[k];
    weights += 1 / squared[k];
  }
  return sum / weights;
}

}  // namespace fluidsplat::draw

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/picture.h"

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>
#include <numbers>

namespace fluidsplat::draw {
namespace {

constexpr Rgb kNoData = {222, 222, 222}, kGold = {255, 196, 0}, kDark = {20, 20, 20};

// A plane of the picture: which physical box it shows, and how.
struct Canvas : Frame {
  io::Image image;

  void set(int column, int row, const Rgb& c) {
    if (column < 0 || row < 0 || column >= image.width || row >= image.height) return;
    const auto at =
        3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(column));
    std::copy(c.begin(), c.end(), image.rgb.begin() + static_cast<std::ptrdiff_t>(at));
  }
  double column_of(double x) const { return (x - left) / (right - left) * image.width; }
  double row_of(double y) const { return (top - y) / (top - bottom) * image.height; }
  double x_of(int column) const { return left + (column + 0.5) / image.width * (right - left); }
  double y_of(int row) const { return top - (row + 0.5) / image.height * (top - bottom); }
};

Rgb color_of(const ColorScale& scale, double value) {
  return color_at(scale.map, (value - scale.low) / (scale.high - scale.low));
}

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
std::vector<Index> shown_points(const field::Mesh& mesh, const PictureOptions& options) {
  std::vector<Index> out;
  if (mesh.points.cols() < 3) {
    for (Index i = 0; i < mesh.points.rows(); ++i) out.push_back(i);
    return out;
  }
  const auto z = mesh.points.col(options.slice_normal);
  const float extent = z.maxCoeff() - z.minCoeff(), middle = z.minCoeff() + float(options.slice_at) * extent;
  if (const double size = cell_size(mesh, options.slice_normal); size > 0) {
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

// How far each scattered point speaks for its surroundings: a little more than the distance to its third neighbour.
std::vector<double> local_reach(const Tree& tree, const PlanarPoints& points) {
  constexpr std::size_t kNeighbours = 4;  // itself among them
  std::vector<double> out;
  for (const auto& xy : points.xy) {
    std::uint32_t index[kNeighbours] = {};
    double squared[kNeighbours] = {};
    const auto found = tree.knnSearch(xy.data(), kNeighbours, index, squared);
    out.push_back(1.5 * std::sqrt(squared[found - 1]));
  }
  return out;
}

void draw_disc(Canvas& canvas, double x, double y, double radius) {
  const double column = canvas.column_of(x), row = canvas.row_of(y);
  for (int r = int(row - radius - 2); r <= row + radius + 2; ++r)
    for (int c = int(column - radius - 2); c <= column + radius + 2; ++c) {
      const double distance = std::hypot(c + 0.5 - column, r + 0.5 - row);
      if (distance <= radius)
        canvas.set(c, r, kGold);
      else if (distance <= radius + 1.5)
        canvas.set(c, r, kDark);
    }
}

void draw_ellipse(Canvas& canvas, const Ellipse& e) {
  const double pixels = std::max(canvas.image.width / (canvas.right - canvas.left), 1e-9);
  const int steps = std::clamp(int(8 * pixels * std::max(e.radius_a, e.radius_b)), 24, 4000);
  for (int i = 0; i < steps; ++i) {
    const double t = 2 * std::numbers::pi * i / steps, a = e.radius_a * std::cos(t), b = e.radius_b * std::sin(t);
    canvas.set(int(canvas.column_of(e.x + a * std::cos(e.angle) - b * std::sin(e.angle))),
               int(canvas.row_of(e.y + a * std::sin(e.angle) + b * std::cos(e.angle))), kDark);
  }
}

}  // namespace

ColorScale scale_for(const field::Vector& values) {
  std::vector<float> sorted(values.data(), values.data() + values.size());
  std::erase_if(sorted, [](float v) { return std::isnan(v); });
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double q) { return double(sorted[Index(q * double(sorted.size() - 1))]); };
  double low = at(0.005), high = at(0.995);
  // Symmetric colours waste half of themselves on a field that is hardly ever negative.
  constexpr double kOneSided = 0.25;
  if (std::min(-low, high) > kOneSided * std::max(-low, high)) {
    const double end = std::max(-low, high);
    return {ColorMap::diverging, -end, end};
  }
  if (!(high > low)) high = low + std::max(1e-12, std::abs(low));
  return {ColorMap::sequential, low, high};
}

Frame frame_of(const field::Mesh& mesh, const PictureOptions& options) {
  const bool slice = mesh.points.cols() == 3;
  Frame out;
  // Axes of the picture: those that are left, in order.
  out.across = slice && options.slice_normal == 0 ? 1 : 0;
  out.up = slice && options.slice_normal != 2 ? 2 : 1;
  const auto x = mesh.points.col(out.across), y = mesh.points.col(out.up);
  const double spacing = planar_spacing(mesh, out, std::ssize(shown_points(mesh, options)));
  const double dx = cell_size(mesh, out.across), dy = cell_size(mesh, out.up);
  // Half a spacing of margin: a grid's outer cells are shown whole.
  out.left = x.minCoeff() - 0.5 * (dx > 0 ? dx : spacing);
  out.right = x.maxCoeff() + 0.5 * (dx > 0 ? dx : spacing);
  out.bottom = y.minCoeff() - 0.5 * (dy > 0 ? dy : spacing);
  out.top = y.maxCoeff() + 0.5 * (dy > 0 ? dy : spacing);
  return out;
}

io::Image draw_field(const field::Mesh& mesh, const field::Vector& values, const ColorScale& scale,
                     const PictureOptions& options) {
  const auto shown = shown_points(mesh, options);
  const bool slice = mesh.points.cols() == 3;
  Canvas canvas;
  static_cast<Frame&>(canvas) = frame_of(mesh, options);
  PlanarPoints points;
  for (auto i : shown) points.xy.push_back({mesh.points(i, canvas.across), mesh.points(i, canvas.up)});
  canvas.image.width = options.pixels_wide;
  canvas.image.height =
      std::clamp(int(std::lround(options.pixels_wide * (canvas.top - canvas.bottom) / (canvas.right - canvas.left))),
                 16, 4 * options.pixels_wide);
  canvas.image.rgb.resize(3 * static_cast<std::size_t>(canvas.image.width) *
                          static_cast<std::size_t>(canvas.image.height));
  const Tree tree(2, points);
  // On a grid a pixel belongs to its cell or to nothing; scattered points reach as far as their own neighbours.
  const double dx = cell_size(mesh, canvas.across), dy = cell_size(mesh, canvas.up);
  const bool cells = dx > 0 && dy > 0;
  const auto reach = mesh.is_grid()
                         ? std::vector<double>(points.xy.size(), 0.75 * planar_spacing(mesh, canvas, std::ssize(shown)))
                         : local_reach(tree, points);
  const auto has_data = [&](const double* query, std::uint32_t nearest, double squared) {
    if (!cells) return squared <= reach[nearest] * reach[nearest];
    const auto& xy = points.xy[nearest];
    return std::abs(query[0] - xy[0]) <= 0.501 * dx && std::abs(query[1] - xy[1]) <= 0.501 * dy;
  };
  for (int row = 0; row < canvas.image.height; ++row)
    for (int column = 0; column < canvas.image.width; ++column) {
      double query[2] = {canvas.x_of(column), canvas.y_of(row)};
      // The nearest of a grid's points is the one whose cell this is only if cells are as wide as high.
      if (cells) {
        query[0] = points.xy.front()[0] + dx * std::round((query[0] - points.xy.front()[0]) / dx);
        query[1] = points.xy.front()[1] + dy * std::round((query[1] - points.xy.front()[1]) / dy);
      }
      std::uint32_t nearest = 0;
      double squared = 0;
      tree.knnSearch(query, 1, &nearest, &squared);
      canvas.set(column, row, has_data(query, nearest, squared) ? color_of(scale, values[shown[nearest]]) : kNoData);
    }
  if (slice) return std::move(canvas.image);
  for (const auto& e : options.ellipses) draw_ellipse(canvas, e);
  const double radius = std::max(3.0, options.pixels_wide / 192.0);
  for (Index s = 0; s < options.sensors.rows(); ++s)
    draw_disc(canvas, options.sensors(s, 0), options.sensors(s, 1), radius);
  return std::move(canvas.image);
}

io::Image draw_scale(const ColorScale& scale, int width, int height) {
  Canvas canvas;
  canvas.image = {width, height, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width * height))};
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) canvas.set(column, row, color_at(scale.map, (column + 0.5) / width));
  return std::move(canvas.image);
}

}  // namespace fluidsplat::draw

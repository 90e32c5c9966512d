// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/picture.h"

#include <algorithm>
#include <cmath>
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

io::Image draw_field(const Plane& plane, const field::Vector& values, const ColorScale& scale,
                     const PictureOptions& options) {
  Canvas canvas;
  static_cast<Frame&>(canvas) = plane.frame();
  canvas.image.width = options.pixels_wide;
  canvas.image.height =
      std::clamp(int(std::lround(options.pixels_wide * (canvas.top - canvas.bottom) / (canvas.right - canvas.left))),
                 16, 4 * options.pixels_wide);
  canvas.image.rgb.resize(3 * static_cast<std::size_t>(canvas.image.width) *
                          static_cast<std::size_t>(canvas.image.height));
  for (int row = 0; row < canvas.image.height; ++row)
    for (int column = 0; column < canvas.image.width; ++column) {
      const Index point = plane.point_at(canvas.x_of(column), canvas.y_of(row));
      canvas.set(column, row, point < 0 ? kNoData : color_of(scale, values[point]));
    }
  if (plane.is_slice()) return std::move(canvas.image);
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

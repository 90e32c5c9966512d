// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/colormap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fluidsplat::draw {
namespace {

struct Lab {
  double l, a, b;
};

double compand(double linear) {
  const double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return std::clamp(v, 0.0, 1.0);
}

// CIELAB (D65) to 8-bit sRGB.
Rgb to_rgb(const Lab& c) {
  const auto inverse = [](double t) { return t > 6.0 / 29 ? t * t * t : 3 * 36.0 / 841 * (t - 4.0 / 29); };
  const double fy = (c.l + 16) / 116, x = 0.95047 * inverse(fy + c.a / 500), y = inverse(fy),
               z = 1.08883 * inverse(fy - c.b / 200);
  const double r = 3.2404542 * x - 1.5371385 * y - 0.4985314 * z, g = -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
               b = 0.0556434 * x - 0.2040259 * y + 1.0572252 * z;
  const auto byte = [](double v) { return static_cast<std::uint8_t>(std::lround(255 * compand(v))); };
  return {byte(r), byte(g), byte(b)};
}

Lab interpolate(const std::vector<Lab>& stops, double t) {
  const double position = t * double(stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double u = position - double(i);
  const auto mix = [u](double p, double q) { return p + u * (q - p); };
  return {mix(stops[i].l, stops[i + 1].l), mix(stops[i].a, stops[i + 1].a), mix(stops[i].b, stops[i + 1].b)};
}

}  // namespace

Rgb color_at(ColorMap map, double t) {
  if (std::isnan(t)) return {128, 128, 128};
  // Lightness is linear along each branch; that is what makes a map perceptual.
  static const std::vector<Lab> kDiverging = {{25, 18, -48}, {60, -3, -38}, {95, 0, 2}, {60, 42, 32}, {25, 48, 24}};
  static const std::vector<Lab> kSequential = {{12, 16, -28}, {32, 42, -22}, {52, 50, 18}, {72, 26, 58}, {92, -4, 48}};
  return to_rgb(interpolate(map == ColorMap::diverging ? kDiverging : kSequential, std::clamp(t, 0.0, 1.0)));
}

}  // namespace fluidsplat::draw

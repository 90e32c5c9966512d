// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/axes.h"

#include <fmt/format.h>

#include <cmath>

#include "draw/markup.h"

namespace fluidsplat::draw {
namespace {

constexpr double kLeft = 64, kBottom = 44, kTop = 8, kRight = 14, kTick = 5, kLine = 15;
constexpr double kBarWidth = 768, kBarHeight = 12;

std::string open_svg(double width, double height, const std::string& alternative) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
      "role=\"img\" aria-label=\"{2}\" font-family=\"sans-serif\" font-size=\"15\" fill=\"#333\">\n",
      width, height, escape(alternative));
}

std::string line(double x1, double y1, double x2, double y2) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#333\"/>\n", x1, y1, x2,
                     y2);
}

std::string text(double x, double y, const char* anchor, const std::string& what) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escape(what));
}

std::string image_at(double x, double y, double width, double height, const io::Image& picture) {
  return fmt::format(
      "<image x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" preserveAspectRatio=\"none\" href=\"{}\"/>\n", x, y,
      width, height, data_uri(picture));
}

// Thin lines, each with an arrow in its middle where it is long enough to have one.
std::string paths(const std::vector<Path>& lines, const Frame& frame, double width, double height) {
  constexpr double kArrow = 5, kLongEnough = 24;  // pixels
  constexpr std::size_t kEvery = 3;               // steps are finer than a picture shows
  std::string d;
  for (const auto& path : lines) {
    Path pixels;
    for (const auto& [x, y] : path)
      pixels.push_back({kLeft + (x - frame.left) / (frame.right - frame.left) * width,
                        kTop + (frame.top - y) / (frame.top - frame.bottom) * height});
    for (std::size_t i = 0; i < pixels.size(); i += kEvery)
      d += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", pixels[i][0], pixels[i][1]);
    const auto middle = pixels.size() / 2;
    if (double(pixels.size()) < kLongEnough) continue;
    const auto [x, y] = pixels[middle];
    const double dx = x - pixels[middle - 1][0], dy = y - pixels[middle - 1][1], length = std::hypot(dx, dy);
    if (!(length > 0)) continue;
    const double ax = kArrow * dx / length, ay = kArrow * dy / length;
    d += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}", x - ax + 0.6 * ay, y - ay - 0.6 * ax, x, y,
                     x - ax - 0.6 * ay, y - ay + 0.6 * ax);
  }
  // Light beside dark, to be seen on any colour.
  return fmt::format(
      "<g fill=\"none\"><path d=\"{0}\" stroke=\"#fff\" stroke-width=\"2.2\" stroke-opacity=\"0.35\"/>\n"
      "<path d=\"{0}\" stroke=\"#222\" stroke-width=\"0.8\" stroke-opacity=\"0.8\"/></g>\n",
      d);
}

}  // namespace

std::vector<double> round_ticks(double low, double high) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double raw = (high - low) / 5, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power) {
      step = factor * power;
      break;
    }
  std::vector<double> out;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    out.push_back(k == 0 ? 0.0 : k * step);
  return out;
}

std::string with_axes(const io::Image& picture, const Frame& frame, const std::string& x_label,
                      const std::string& y_label, const std::string& alternative, const std::vector<Path>& lines) {
  const double width = picture.width, height = picture.height, bottom = kTop + height;
  auto svg = open_svg(kLeft + width + kRight, bottom + kBottom, alternative);
  svg += image_at(kLeft, kTop, width, height, picture);
  if (!lines.empty()) svg += paths(lines, frame, width, height);
  for (double v : round_ticks(frame.left, frame.right)) {
    const double x = kLeft + (v - frame.left) / (frame.right - frame.left) * width;
    svg += line(x, bottom, x, bottom + kTick) + text(x, bottom + kTick + kLine, "middle", fmt::format("{:g}", v));
  }
  for (double v : round_ticks(frame.bottom, frame.top)) {
    const double y = kTop + (frame.top - v) / (frame.top - frame.bottom) * height;
    svg += line(kLeft - kTick, y, kLeft, y) + text(kLeft - kTick - 3, y + 5, "end", fmt::format("{:g}", v));
  }
  svg += text(kLeft + width / 2, bottom + kBottom - 4, "middle", x_label);
  svg += fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     kTop + height / 2, escape(y_label));
  return svg + "</svg>";
}

std::string color_bar(const ColorScale& scale, const std::string& label) {
  auto svg = open_svg(kLeft + kBarWidth + kRight, kBarHeight + kTick + 2 * kLine + 10, "colour scale");
  svg += image_at(kLeft, 2, kBarWidth, kBarHeight, draw_scale(scale, int(kBarWidth), int(kBarHeight)));
  for (double v : round_ticks(scale.low, scale.high)) {
    const double x = kLeft + (v - scale.low) / (scale.high - scale.low) * kBarWidth;
    svg += line(x, 2 + kBarHeight, x, 2 + kBarHeight + kTick) +
           text(x, 2 + kBarHeight + kTick + kLine, "middle", fmt::format("{:g}", v));
  }
  return svg + text(kLeft + kBarWidth / 2, kBarHeight + kTick + 2 * kLine + 6, "middle", label) + "</svg>";
}

}  // namespace fluidsplat::draw

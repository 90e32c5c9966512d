// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/dot_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.h"
#include "draw/markup.h"

namespace fluidsplat::draw {
namespace {

constexpr double kRow = 24, kTop = 58, kBottom = 46, kRight = 20, kLetter = 6.8;
constexpr const char* kColors[] = {"#1f5fa8", "#e0a13a", "#c44536", "#2a8c5a", "#8a5bb0", "#444444"};

bool is_shown(double v) {
  return std::isfinite(v) && v > 0;
}

// A logarithmic axis with a little space at both ends.
struct Axis {
  double low = std::numeric_limits<double>::infinity(), high = 0, left = 0, width = 0;

  Axis(const std::vector<DotRow>& rows, double from, double wide) : left(from), width(wide) {
    for (const auto& row : rows)
      for (const double v : row.values)
        if (is_shown(v)) low = std::min(low, v), high = std::max(high, v);
    if (!(low <= high)) low = 0.1, high = 1;
    low /= 1.3;
    high *= 1.3;
  }
  double place(double v) const { return left + width * std::log(v / low) / std::log(high / low); }
  std::vector<double> ticks() const {
    std::vector<double> out;
    const bool wide = std::log10(high / low) > 2.2;
    for (double e = std::floor(std::log10(low)); e <= std::ceil(std::log10(high)); ++e)
      for (const double m : {1.0, 2.0, 5.0})
        if (const double v = m * std::pow(10.0, e); v >= low && v <= high && (m == 1 || !wide)) out.push_back(v);
    return out;
  }
};

}  // namespace

std::string dot_plot(const std::vector<DotRow>& rows, const DotPlotOptions& options) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.label.size());
  const double left = 16 + kLetter * double(longest), height = kTop + kRow * double(rows.size()) + kBottom;
  const Axis axis(rows, left, options.width - left - kRight);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{0}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\"><title>{2}</title>\n"
      "<text x=\"16\" y=\"18\" font-size=\"14\" font-weight=\"bold\">{2}</text>\n",
      options.width, height, escape(options.title));
  double at = left;
  for (Index s = 0; s < std::ssize(options.series); ++s) {
    svg += fmt::format("<circle cx=\"{:.0f}\" cy=\"37\" r=\"5\" fill=\"{}\"/><text x=\"{:.0f}\" y=\"41\">{}</text>\n",
                       at + 5, kColors[s % std::ssize(kColors)], at + 14, escape(options.series[s]));
    at += 30 + kLetter * double(options.series[s].size());
  }
  const double bottom = height - kBottom;
  for (const double v : axis.ticks())
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" "
        "y=\"{3:.0f}\" text-anchor=\"middle\">{4:g}</text>\n",
        axis.place(v), kTop - 6, bottom, bottom + 16, v);
  svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", left + axis.width / 2,
                     bottom + 36, escape(options.x_label));
  for (Index r = 0; r < std::ssize(rows); ++r) {
    const double y = kTop + kRow * (double(r) + 0.5);
    svg += fmt::format(
        "<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\"{}>{}</text><line x1=\"{:.0f}\" x2=\"{:.0f}\" "
        "y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#eee\"/>\n",
        left - 8, y + 4, rows[r].strong ? " font-weight=\"bold\"" : "", escape(rows[r].label), left, left + axis.width,
        y, y);
    // The first series is drawn last, over the others.
    for (Index s = std::ssize(rows[r].values) - 1; s >= 0; --s)
      if (is_shown(rows[r].values[s]))
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\" fill-opacity=\"0.85\"/>\n",
                           axis.place(rows[r].values[s]), y, kColors[s % std::ssize(kColors)]);
  }
  return svg + "</svg>\n";
}

}  // namespace fluidsplat::draw

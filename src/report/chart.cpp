// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "report/html.h"

namespace fluidsplat::report {
namespace {

constexpr int kLeft = 64, kRight = 16, kTop = 34, kBottom = 48;
constexpr const char* kColors[] = {"#1f5fa8", "#c44536", "#2a8c5a", "#8a5bb0", "#b8860b", "#444444"};

struct Axis {
  double low, high;
  bool log;

  double place(double v) const {
    return log ? (std::log10(v) - std::log10(low)) / (std::log10(high) - std::log10(low))
               : (v - low) / (high - low);
  }
  bool usable(double v) const { return std::isfinite(v) && (!log || v > 0); }

  std::vector<double> ticks() const {
    std::vector<double> out;
    if (log) {
      const double decades = std::log10(high / low);
      for (double e = std::floor(std::log10(low)); e <= std::ceil(std::log10(high)); ++e)
        for (double m : {1.0, 2.0, 5.0}) {
          if (m != 1.0 && decades > 2.5) continue;
          const double v = m * std::pow(10.0, e);
          if (v >= low * 0.999 && v <= high * 1.001) out.push_back(v);
        }
      return out;
    }
    const double raw = (high - low) / 5, magnitude = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = magnitude * (raw / magnitude < 1.5   ? 1
                                     : raw / magnitude < 3.5 ? 2
                                     : raw / magnitude < 7.5 ? 5
                                                             : 10);
    for (double v = std::ceil(low / step) * step; v <= high + 1e-9 * step; v += step)
      out.push_back(std::abs(v) < 1e-12 * step ? 0 : v);
    return out;
  }
};

Axis fit_axis(const std::vector<Series>& series, std::vector<double> Series::*member, bool log,
              bool from_zero) {
  Axis axis{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), log};
  for (const auto& s : series)
    for (double v : s.*member)
      if (axis.usable(v)) {
        axis.low = std::min(axis.low, v);
        axis.high = std::max(axis.high, v);
      }
  if (!(axis.low <= axis.high)) return {log ? 0.1 : 0.0, 1, log};
  if (from_zero && !log) axis.low = std::min(axis.low, 0.0);
  if (axis.low == axis.high) {
    axis.low = log ? axis.low / 2 : axis.low - 0.5;
    axis.high = log ? axis.high * 2 : axis.high + 0.5;
  }
  return axis;
}

class Plot {
 public:
  Plot(const ChartOptions& o, const Axis& x, const Axis& y) : o_(o), x_(x), y_(y) {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "role=\"img\" "
        "aria-label=\"{2}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"white\"/>\n<text x=\"{3}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{2}</text>\n",
        o.width, o.height, escape(o.title), kLeft);
    draw_axes();
  }
  double px(double v) const { return kLeft + x_.place(v) * (o_.width - kLeft - kRight); }
  double py(double v) const { return o_.height - kBottom - y_.place(v) * (o_.height - kTop - kBottom); }
  void add(const std::string& element) { svg_ += element + "\n"; }
  std::string finish() { return svg_ + "</svg>"; }

 private:
  void draw_axes() {
    const double bottom = o_.height - kBottom, right = o_.width - kRight;
    for (double v : x_.ticks())
      add(
          fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#e4e4e4\"/>"
                      "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:g}</text>",
                      px(v), kTop, bottom, bottom + 16, v));
    for (double v : y_.ticks())
      add(
          fmt::format("<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"#e4e4e4\"/>"
                      "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>",
                      kLeft, py(v), right, kLeft - 6, py(v) + 4, v));
    add(fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#888\"/>", kLeft,
        kTop, right - kLeft, bottom - kTop));
    add(fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", (kLeft + right) / 2,
                    o_.height - 10, escape(o_.x_label)));
    add(fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                    (kTop + bottom) / 2, escape(o_.y_label)));
  }
  const ChartOptions& o_;
  Axis x_, y_;
  std::string svg_;
};

}  // namespace

std::string line_chart(const std::vector<Series>& series, const ChartOptions& options) {
  const Axis x = fit_axis(series, &Series::x, options.log_x, false),
             y = fit_axis(series, &Series::y, options.log_y, true);
  Plot plot(options, x, y);
  for (std::size_t s = 0; s < series.size(); ++s) {
    const char* color = kColors[s % std::size(kColors)];
    std::string path;
    for (std::size_t i = 0; i < std::min(series[s].x.size(), series[s].y.size()); ++i) {
      if (!x.usable(series[s].x[i]) || !y.usable(series[s].y[i])) continue;
      const double px = plot.px(series[s].x[i]), py = plot.py(series[s].y[i]);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", px, py);
      if (!series[s].line)
        plot.add(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", px, py, color));
    }
    if (series[s].line && !path.empty())
      plot.add(fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>", path, color,
                           series[s].dashed ? " stroke-dasharray=\"5 4\"" : ""));
    const int legend_x = options.width - kRight - 150, legend_y = kTop + 16 + 16 * static_cast<int>(s);
    if (!series[s].name.empty())
      plot.add(fmt::format(
          "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"{3}\" stroke-width=\"2\"{4}/>"
          "<text x=\"{5}\" y=\"{6}\">{7}</text>",
          legend_x, legend_y - 4, legend_x + 18, color, series[s].dashed ? " stroke-dasharray=\"5 4\"" : "",
          legend_x + 24, legend_y, escape(series[s].name)));
  }
  return plot.finish();
}

std::string histogram(const std::vector<double>& values, int bins, const ChartOptions& options) {
  std::vector<double> finite;
  for (double v : values)
    if (std::isfinite(v)) finite.push_back(v);
  if (finite.empty()) return line_chart({}, options);
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double width = std::max((*high - *low) / bins, 1e-12 * std::max(1.0, std::abs(*high)));
  Series counts;
  counts.x = {*low, *low + bins * width};
  std::vector<double> heights(static_cast<std::size_t>(bins));
  for (double v : finite)
    ++heights[std::min(static_cast<std::size_t>((v - *low) / width), static_cast<std::size_t>(bins - 1))];
  counts.y = heights;
  Plot plot(options, fit_axis({counts}, &Series::x, false, false),
            fit_axis({counts}, &Series::y, false, true));
  for (int b = 0; b < bins; ++b) {
    const double left = plot.px(*low + b * width), right = plot.px(*low + (b + 1) * width),
                 top = plot.py(heights[static_cast<std::size_t>(b)]), bottom = plot.py(0);
    plot.add(fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"white\"/>",
        left, top, right - left, bottom - top, kColors[0]));
  }
  return plot.finish();
}

}  // namespace fluidsplat::report

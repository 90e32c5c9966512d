// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "draw/markup.h"

namespace fluidsplat::draw {
namespace {

constexpr int kLeft = 72, kRight = 16, kTop = 34, kBottom = 48;
constexpr int kLegendRow = 17, kLegendMark = 26;  // height of a row of the legend, width of a line's sample
constexpr double kLetter = 6.6,
                 kPadding = 0.04;  // mean width of a letter; space around the data, of the axis
constexpr const char* kDashes = " stroke-dasharray=\"5 4\"";
constexpr const char* kColors[] = {"#1f5fa8", "#c44536", "#2a8c5a", "#8a5bb0",
                                   "#b8860b", "#444444", "#2ba3b5", "#d46fa0"};

struct Axis {
  double low, high;
  bool log;
  bool whole = false;  // only whole numbers have a meaning

  double place(double v) const {
    return log ? (std::log10(v) - std::log10(low)) / (std::log10(high) - std::log10(low)) : (v - low) / (high - low);
  }
  bool usable(double v) const { return std::isfinite(v) && (!log || v > 0); }

  std::vector<double> ticks() const {
    std::vector<double> out;
    if (log) {
      const double decades = std::log10(high / low), every = std::ceil(decades / 10);
      const std::vector<double> steps = decades > 2.5   ? std::vector<double>{1}
                                        : decades > 1.2 ? std::vector<double>{1, 2, 5}
                                                        : std::vector<double>{1, 1.5, 2, 3, 4, 5, 7};
      for (double e = std::floor(std::log10(low)); e <= std::ceil(std::log10(high)); ++e)
        for (double m : steps) {
          const double v = m * std::pow(10.0, e);
          if (std::fmod(e, every) == 0 && v >= low * 0.999 && v <= high * 1.001) out.push_back(v);
        }
      return out;
    }
    const double raw = (high - low) / 5, magnitude = std::pow(10.0, std::floor(std::log10(raw)));
    const double round = magnitude * (raw / magnitude < 1.5   ? 1
                                      : raw / magnitude < 3.5 ? 2
                                      : raw / magnitude < 7.5 ? 5
                                                              : 10);
    const double step = whole ? std::max(1.0, round) : round;
    for (double v = std::ceil(low / step) * step; v <= high + 1e-9 * step; v += step)
      out.push_back(std::abs(v) < 1e-12 * step ? 0 : v);
    return out;
  }
};

Axis fit_axis(const std::vector<Series>& series, std::vector<double> Series::*member, bool log, bool from_zero) {
  Axis axis{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), log};
  for (const auto& s : series)
    for (double v : s.*member)
      if (axis.usable(v)) {
        axis.low = std::min(axis.low, v);
        axis.high = std::max(axis.high, v);
      }
  if (!(axis.low <= axis.high)) return {log ? 0.1 : 0.0, 1, log};
  // What keeps far from zero, as a drag coefficient does, would be a flat line over an empty chart.
  const bool is_far = axis.low > 0.5 * axis.high;
  if (from_zero && !log && !is_far) axis.low = std::min(axis.low, 0.0);
  if (axis.low == axis.high) {
    axis.low = log ? axis.low / 2 : axis.low - 0.5;
    axis.high = log ? axis.high * 2 : axis.high + 0.5;
  }
  return axis;
}

// A little larger, so that no line runs along the frame; an axis that starts at zero still does.
Axis padded(Axis axis) {
  if (axis.log) {
    const double factor = std::pow(axis.high / axis.low, kPadding);
    return {axis.low / factor, axis.high * factor, true};
  }
  const double space = kPadding * (axis.high - axis.low);
  return {axis.low == 0 ? 0 : axis.low - space, axis.high + space, false};
}

// Numbers as short as they can be: 0.001 and 50000, but 5e-4 and 2e6.
std::string tick_label(double v) {
  const double size = std::abs(v);
  if (size == 0 || (size >= 9.99e-4 && size < 99999)) return fmt::format("{:g}", v);
  const double exponent = std::floor(std::log10(size) + 1e-9);
  return fmt::format("{:g}e{:g}", v / std::pow(10.0, exponent), exponent);
}

struct LegendEntry {
  double x;
  int row;
};

// Names in rows above the plot, where they cannot cover a curve.
std::vector<LegendEntry> arrange_legend(const std::vector<Series>& series, int width) {
  std::vector<LegendEntry> entries;
  double x = kLeft;
  int row = 0;
  for (const Series& s : series) {
    const double needed = s.name.empty() ? 0 : kLegendMark + kLetter * double(s.name.size()) + 16;
    if (x > kLeft && x + needed > width - kRight) x = kLeft, ++row;
    entries.push_back({x, row});
    x += needed;
  }
  return entries;
}

class Plot {
 public:
  // `legend_rows` make the figure higher, not the plot smaller.
  Plot(const ChartOptions& o, const Axis& x, const Axis& y, int legend_rows = 0)
      : o_(o),
        x_(x),
        y_(y),
        top_(kTop + kLegendRow * legend_rows),
        bottom_(o.height + kLegendRow * legend_rows - kBottom) {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "role=\"img\" "
        "aria-label=\"{2}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"white\"/>\n<text x=\"{3}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{2}</text>\n",
        o.width, bottom_ + kBottom, escape(o.title), kLeft);
    draw_axes();
  }
  double px(double v) const { return kLeft + x_.place(v) * (o_.width - kLeft - kRight); }
  double py(double v) const { return bottom_ - y_.place(v) * (bottom_ - top_); }
  void add(const std::string& element) { svg_ += element + "\n"; }
  std::string finish() { return svg_ + "</svg>"; }

 private:
  void draw_axes() {
    const int right = o_.width - kRight;
    for (double v : x_.ticks())
      add(
          fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#e4e4e4\"/><text "
                      "x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>",
                      px(v), top_, bottom_, bottom_ + 16, tick_label(v)));
    for (double v : y_.ticks())
      add(
          fmt::format("<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#e4e4e4\"/><text x=\"{3}\" "
                      "y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
                      kLeft, py(v), right, kLeft - 6, py(v) + 4, tick_label(v)));
    add(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>", kLeft, top_,
                    right - kLeft, bottom_ - top_));
    add(fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", (kLeft + right) / 2, bottom_ + 38,
                    escape(o_.x_label)));
    add(fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                    (top_ + bottom_) / 2, escape(o_.y_label)));
  }
  const ChartOptions& o_;
  Axis x_, y_;
  int top_, bottom_;
  std::string svg_;
};

// There along `high` and back along `low`, once for every part without a gap.
void shade(Plot& plot, const Series& series, const Axis& x, const Axis& y, const char* color) {
  std::string there, back;
  const auto finish = [&] {
    if (!there.empty()) plot.add(fmt::format("<path d=\"{}{} Z\" fill=\"{}\" opacity=\"0.25\"/>", there, back, color));
    there.clear(), back.clear();
  };
  for (std::size_t i = 0; i < std::min(series.x.size(), series.low.size()); ++i) {
    if (!x.usable(series.x[i]) || !y.usable(series.low[i]) || !y.usable(series.high[i])) {
      finish();
      continue;
    }
    const double px = plot.px(series.x[i]);
    there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : " L", px, plot.py(series.high[i]));
    back = fmt::format(" L{:.1f} {:.1f}", px, plot.py(series.low[i])) + back;
  }
  finish();
}

void draw_bars(Plot& plot, const Series& series, const Axis& x, const Axis& y, const char* color) {
  for (std::size_t i = 0; i < std::min(series.x.size(), series.low.size()); ++i)
    if (x.usable(series.x[i]) && y.usable(series.low[i]) && y.usable(series.high[i]))
      plot.add(
          fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
                      "stroke-width=\"8\" opacity=\"0.25\"/>",
                      plot.px(series.x[i]), plot.py(series.low[i]), plot.py(series.high[i]), color));
}

std::string dot(double x, double y, const char* color) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", x, y, color);
}

void draw_legend_entry(Plot& plot, const Series& series, const LegendEntry& entry, const char* color) {
  if (series.name.empty()) return;
  const int y = kTop + kLegendRow * entry.row;
  plot.add(series.line ? fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{2:.1f}\" y2=\"{1}\" stroke=\"{3}\" "
                                     "stroke-width=\"2\"{4}/>",
                                     entry.x, y, entry.x + 20, color, series.dashed ? kDashes : "")
                       : dot(entry.x + 10, y, color));
  plot.add(fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>", entry.x + kLegendMark, y + 4, escape(series.name)));
}

}  // namespace

std::string line_chart(const std::vector<Series>& series, const ChartOptions& options) {
  // Areas and bars belong to what the axis must show.
  auto all = series;
  for (const auto& s : series) {
    all.push_back({"", s.x, s.low});
    all.push_back({"", s.x, s.high});
  }
  const Axis x = padded(fit_axis(series, &Series::x, options.log_x, false)),
             y = padded(fit_axis(all, &Series::y, options.log_y, true));
  const std::vector<LegendEntry> legend = arrange_legend(series, options.width);
  Plot plot(options, x, y, legend.empty() ? 0 : legend.back().row + 1);
  for (std::size_t s = 0; s < series.size(); ++s) {
    const char* color = kColors[s % std::size(kColors)];
    (series[s].line ? shade : draw_bars)(plot, series[s], x, y, color);
    std::string path;
    bool begins = true;
    for (std::size_t i = 0; i < std::min(series[s].x.size(), series[s].y.size()); ++i) {
      begins = begins || std::isnan(series[s].x[i]);
      if (!x.usable(series[s].x[i]) || !y.usable(series[s].y[i])) continue;
      const double px = plot.px(series[s].x[i]), py = plot.py(series[s].y[i]);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : begins ? " M" : " L", px, py);
      begins = false;
      if (!series[s].line) plot.add(dot(px, py, color));
    }
    if (series[s].line && !path.empty())
      plot.add(fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>", path, color,
                           series[s].dashed ? kDashes : ""));
    draw_legend_entry(plot, series[s], legend[s], color);
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
  std::vector<double> heights(bins);
  for (double v : finite)
    ++heights[std::min(static_cast<std::size_t>((v - *low) / width), static_cast<std::size_t>(bins - 1))];
  counts.y = heights;
  auto numbers = fit_axis({counts}, &Series::y, false, true);
  numbers.whole = true;
  Plot plot(options, fit_axis({counts}, &Series::x, false, false), numbers);
  for (int b = 0; b < bins; ++b) {
    const double left = plot.px(*low + b * width), right = plot.px(*low + (b + 1) * width), top = plot.py(heights[b]),
                 bottom = plot.py(0);
    plot.add(
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"white\"/>",
                    left, top, right - left, bottom - top, kColors[0]));
  }
  return plot.finish();
}

}  // namespace fluidsplat::draw

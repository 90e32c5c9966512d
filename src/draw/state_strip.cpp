// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/state_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "draw/axes.h"
#include "draw/markup.h"

namespace fluidsplat::draw {
namespace {

constexpr int kRight = 16, kTop = 58, kBottom = 44, kRow = 18, kGap = 4;
constexpr double kLetter = 6.6;

std::string legend(const std::vector<StripState>& states, const std::set<int>& present, int left) {
  std::string out;
  double x = left;
  for (int s : present) {
    out += fmt::format(
        "<rect x=\"{:.0f}\" y=\"32\" width=\"14\" height=\"12\" fill=\"{}\"/><text x=\"{:.0f}\" y=\"42\">{}</text>\n",
        x, states[s].color, x + 19, escape(states[s].name));
    x += 19 + kLetter * double(states[s].name.size()) + 18;
  }
  return out;
}

}  // namespace

std::string state_strip(const std::vector<StripLine>& lines, const std::vector<StripState>& states,
                        const StripOptions& o) {
  std::size_t longest = 4;
  std::set<int> present;
  for (const auto& line : lines) {
    longest = std::max(longest, line.label.size());
    present.insert(line.states.begin(), line.states.end());
  }
  const int left = 16 + int(kLetter * double(longest)), right = o.width - kRight;
  const int bottom = kTop + (kRow + kGap) * int(lines.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"{2}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"white\"/>\n<text x=\"{3}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{2}</text>\n",
      o.width, bottom + kBottom, escape(o.title), left);
  svg += legend(states, present, left);
  int y = kTop;
  for (const auto& line : lines) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 6, y + 13, escape(line.label));
    const double each = double(right - left) / double(std::max<std::size_t>(1, line.states.size()));
    for (std::size_t first = 0, end = 0; first < line.states.size(); first = end) {
      while (end < line.states.size() && line.states[end] == line.states[first]) ++end;
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                         double(left) + each * double(first), y, each * double(end - first), kRow,
                         states[line.states[first]].color);
    }
    y += kRow + kGap;
  }
  if (o.last > o.first)
    for (double tick : round_ticks(o.first, o.last)) {
      const double x = double(left) + (tick - o.first) / (o.last - o.first) * double(right - left);
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", x, bottom + 14, tick);
    }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2, bottom + 34,
                     escape(o.x_label));
  return svg + "</svg>";
}

}  // namespace fluidsplat::draw

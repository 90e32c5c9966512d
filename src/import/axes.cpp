// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/axes.h"

#include <algorithm>

#include "base/error.h"
#include "io/array.h"

namespace fluidsplat::importing {
namespace {

// An image of so few columns is more likely a list of channels: ask.
constexpr Index kFewColumns = 4;

void check_letters(const std::string& letters, const std::string& label) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (std::string("tzyxnc").find(letters[i]) == std::string::npos)
      fail("{}: layout \"{}\": the letter '{}' is unknown; t case or time, z y x grid, n points, c channel", label,
           letters, letters[i]);
    if (letters.find(letters[i], i + 1) != std::string::npos)
      fail("{}: layout \"{}\": '{}' occurs twice", label, letters, letters[i]);
  }
  const bool grid = letters.find_first_of("zyx") != std::string::npos;
  const bool points = letters.find('n') != std::string::npos;
  const auto grid_axes =
      std::count_if(letters.begin(), letters.end(), [](char c) { return c == 'x' || c == 'y' || c == 'z'; });
  if (grid == points || (grid && grid_axes < 2))
    fail("{}: layout \"{}\": it needs either n (points) or two or three of z, y, x (a grid)", label, letters);
}

// The layouts that the shape and the hints allow.  Files that hold one 3-D case each must say so.
std::vector<std::string> readings(const std::vector<Index>& shape, const AxesHints& hints) {
  const auto rank = shape.size();
  std::vector<std::string> out;
  const auto allow = [&](const std::string& letters) {
    if (letters.size() != rank) return;
    const auto c = letters.find('c'), n = letters.find('n');
    const Index channels = c == std::string::npos ? 1 : shape[c];
    if (hints.channels > 0 && channels != hints.channels) return;
    if (n != std::string::npos && shape[n] != hints.points) return;
    out.push_back(letters);
  };
  if (hints.points > 0) {
    for (const char* letters : {"n", "tn", "nc", "tnc", "tcn"}) allow(letters);
    if (hints.any_order)
      for (const char* letters : {"nt", "cn", "nct", "cnt", "ntc", "ctn"}) allow(letters);
  } else if (hints.any_order) {
    for (const char* letters :
         {"yx", "xy", "yxt", "xyt", "tyx", "txy", "yxc", "xyc", "yxtc", "xytc", "yxct", "xyct", "tyxc", "yxzt", "xyzt"})
      allow(letters);
  } else {
    for (const char* letters : {"yx", "tyx", "yxc", "cyx", "tyxc", "tcyx", "tzyx", "tzyxc", "tczyx"}) allow(letters);
    if (rank == 3) {
      const bool plain = std::find(out.begin(), out.end(), "tyx") != out.end();
      const bool channels_said = hints.channels > 0;
      if (plain && (channels_said || shape[2] > kFewColumns)) return {"tyx"};
    }
  }
  return out;
}

std::string infer(const std::vector<Index>& shape, const AxesHints& hints, const std::string& label) {
  const auto possible = readings(shape, hints);
  if (possible.size() == 1) return possible.front();
  const auto text = io::shape_text(shape);
  const std::string what = hints.points > 0 ? fmt::format("{} points", hints.points) : std::string("a 2-D or 3-D grid");
  if (possible.empty())
    fail("{}: has the shape {}, which does not fit {}{}; name its axes with layout, for example layout = {}", label,
         text, what,
         hints.channels > 0 ? fmt::format(" with {} channel{}", hints.channels, hints.channels == 1 ? "" : "s") : "",
         hints.points > 0 ? "tnc" : "tyxc");
  fail("{}: the shape {} can be read as {}; say which with layout = {}{} (t case or time, z y x grid, c channel)",
       label, text, fmt::join(possible, ", "), fmt::join(possible, " or layout = "),
       hints.channels > 0 ? "" : ", or name the channels with channels = NAMES");
}

}  // namespace

Index Axes::extent(char letter) const {
  const auto at = letters.find(letter);
  return at == std::string::npos ? 1 : shape[at];
}

Index Axes::stride(char letter) const {
  const auto at = letters.find(letter);
  if (at == std::string::npos) return 0;
  Index out = 1;
  for (std::size_t i = at + 1; i < shape.size(); ++i) out *= shape[i];
  return out;
}

std::string Axes::place() const {
  std::string out;
  for (char c : std::string("zyxn"))
    if (has(c)) out += c;
  return out;
}

std::string Axes::place_as_stored() const {
  std::string out;
  for (char c : letters)
    if (c != 't' && c != 'c') out += c;
  return out;
}

Index Axes::points() const {
  return extent('z') * extent('y') * extent('x') * extent('n');
}

Axes read_axes(const std::string& layout, const std::vector<Index>& shape, const AxesHints& hints,
               const std::string& label) {
  Axes axes{layout, shape};
  if (layout.empty())
    axes.letters = infer(shape, hints, label);
  else if (layout.size() != shape.size())
    fail("{}: layout \"{}\" names {} axes, the array has the shape {}", label, layout, layout.size(),
         io::shape_text(shape));
  check_letters(axes.letters, label);
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] < 1) fail("{}: the shape {} is empty", label, io::shape_text(shape));
  if (hints.channels > 0 && axes.extent('c') != hints.channels)
    fail("{}: {} channels are named, the array of shape {} (layout {}) holds {}", label, hints.channels,
         io::shape_text(shape), axes.letters, axes.extent('c'));
  if (axes.has('n') && hints.points == 0)
    fail("{}: layout {} is for points, but their positions are not given; name them with points (or x, y, z)", label,
         axes.letters);
  if (axes.has('n') && axes.extent('n') != hints.points)
    fail("{}: the shape {} (layout {}) has {} points, their positions are {}", label, io::shape_text(shape),
         axes.letters, axes.extent('n'), hints.points);
  return axes;
}

}  // namespace fluidsplat::importing
